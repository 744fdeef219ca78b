// The data of the page: read once, never changed. Arrays come as base64.

const data = JSON.parse(document.getElementById("data").textContent);

const ARRAYS = { f8: Float64Array, f4: Float32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };

function unpacked({ type, data }) {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return new ARRAYS[type](bytes.buffer);
}

const NONE = 255; // a Boolean that a mode does not have
const times = unpacked(data.curves.time);
const eventTimes = unpacked(data.events.times);
const eventKinds = unpacked(data.events.kinds);
const START = data.span[0];
const STOP = Math.max(data.span[1], START + (Math.abs(START) * 1e-9 || 1e-9)); // a run may have no length
const modes = { bounds: unpacked(data.modes.bounds), numbers: unpacked(data.modes.numbers) };
for (const part of data.modes.parts) {
  part.bounds = unpacked(part.bounds);
  part.numbers = unpacked(part.numbers);
}

// The values of a curve, as numbers; null where there is none, so that the curve has a gap.
function valuesOf(curve) {
  if (!curve.decoded) {
    const found = unpacked(curve.values);
    curve.times = curve.at ? Float64Array.from([...unpacked(curve.at), STOP]) : times;
    const missing = curve.kind === "boolean" || curve.kind === "enumeration" ? (v) => v === NONE : Number.isNaN;
    const values = curve.at ? [...found, found[found.length - 1]] : found; // the last value stays until the end
    curve.decoded = values.some(missing) ? Array.from(values, (v) => (missing(v) ? null : v)) : values;
  }
  return curve.decoded;
}

// The first place in a sorted array at which there is more than a value.
function after(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function nearest(sorted, value) {
  const k = after(sorted, value);
  if (k === 0) return sorted.length ? 0 : -1;
  return k === sorted.length || value - sorted[k - 1] <= sorted[k] - value ? k - 1 : k;
}

// ---------------------------------------------------------------- words

function digits(value, count = 6) {
  if (typeof value !== "number") return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(count - 1) : value.toPrecision(count);
  return text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "").replace("e+", "e");
}

// A time, with as many digits as tell it from its neighbours where a stretch of this length is seen.
function timeText(value, stretch = STOP - START) {
  const size = Math.max(Math.abs(START), Math.abs(STOP), 1e-300);
  return digits(value, Math.min(15, Math.max(4, Math.ceil(Math.log10(size / stretch)) + 6)));
}

// A time in a column: all with the same digits after the point.
const DECIMALS = Math.min(15, Math.max(0, 7 - Math.floor(Math.log10(STOP - START || 1))));
const fixedTime = (value) => value.toFixed(DECIMALS);

function valueText(curve, value) {
  if (value === null || value === undefined) return "none";
  if (curve.kind === "boolean") return value ? "true" : "false";
  if (curve.kind === "enumeration") return curve.literals[value - 1] ?? String(value);
  return digits(value);
}

function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

// ---------------------------------------------------------------- elements

const byId = (id) => document.getElementById(id);

// An element with properties and children; texts are texts, never HTML.
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

// A colour of the theme; they are asked for in loops, and the browser is slow to tell.
const colours = new Map();
function colour(name) {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
}
