// The plots: one for each unit of Reals, and one for each variable that counts or switches.

const TALL = 170, LOW = 62, MARGIN = 16;

// What is beside the plots and the time line: wide enough for the names there, as far as that is reasonable.
const GUTTER = (() => {
  const ctx = document.createElement("canvas").getContext("2d");
  ctx.font = "12px system-ui, sans-serif";
  return Math.ceil(Math.max(84, ...data.modes.parts.map((part) => Math.min(150, ctx.measureText(part.name).width + 14))));
})();
const ALIKE = 100; // Reals without a unit share a plot if their sizes differ by less than this factor

let shown = data.curves.shown.slice();
let plots = [];

function sizeOf(curve) {
  if (curve.size === undefined) {
    curve.size = 0;
    for (const v of valuesOf(curve)) if (v !== null && Math.abs(v) > curve.size && isFinite(v)) curve.size = Math.abs(v);
  }
  return curve.size;
}

// Below this, two values of a curve are the same to the reader: it is the error of the solver.
const SAME = 1e-9;

function panels() {
  const tall = [], low = [];
  for (const number of shown) {
    const curve = data.curves.list[number];
    if (curve.kind !== "real" || curve.at) {
      low.push({ curves: [number], low: curve.kind !== "real", at: true });
      continue;
    }
    const size = curve.unit ? 0 : sizeOf(curve);
    const alike = (p) => p.unit === curve.unit &&
      (curve.unit || Math.min(p.size, size) === 0 || Math.max(p.size, size) / Math.min(p.size, size) <= ALIKE);
    const found = tall.find(alike);
    if (found) found.curves.push(number);
    else tall.push({ curves: [number], unit: curve.unit, size });
  }
  return [...tall, ...low];
}

// ---------------------------------------------------------------- values

// The values of a curve at a time: one, or two where it jumps.
function valuesAt(curve, time) {
  const values = valuesOf(curve), times = curve.times;
  const right = after(times, time) - 1;
  if (right < 0) return [values[0]];
  if (curve.at) return times[right] === time && right > 0 ? [values[right - 1], values[right]] : [values[right]];
  if (times[right] === time || right + 1 >= times.length) {
    let left = right;
    while (left > 0 && times[left - 1] === times[right]) left -= 1;
    const jump = Math.abs(values[left] - values[right]) > SAME * sizeOf(curve);
    return jump && times[right] === time ? [values[left], values[right]] : [values[right]];
  }
  const [a, b] = [values[right], values[right + 1]];
  if (a === null || b === null) return [a];
  return [a + ((b - a) * (time - times[right])) / (times[right + 1] - times[right])];
}

function showValues() {
  for (const { panel, cells } of plots) {
    panel.curves.forEach((number, k) => {
      const curve = data.curves.list[number];
      const found = view.cursor === null ? [] : valuesAt(curve, view.cursor);
      const words = [...new Set(found.map((v) => valueText(curve, v)))];
      cells[k].textContent = words.join(" → ");
    });
  }
}

// ---------------------------------------------------------------- drawing

function axisFor(panel) {
  const curve = data.curves.list[panel.curves[0]];
  const look = { stroke: colour("faint"), grid: { stroke: colour("grid"), width: 1 }, ticks: { stroke: colour("grid"), width: 1, size: 4 }, size: GUTTER, gap: 4 };
  if (!panel.low) return { ...look, values: (u, splits) => splits.map((v) => (v === null ? "" : digits(v))) };
  if (curve.kind === "boolean") return { ...look, splits: () => [0, 1], values: () => ["false", "true"] };
  const names = (v) => (curve.literals ? curve.literals[v - 1] ?? "" : String(v));
  return { ...look, space: 16, incrs: [1, 2, 5, 10, 20, 50, 100, 1000, 1e4, 1e5, 1e6], values: (u, splits) => splits.map(names) };
}

function rangeFor(panel) {
  const curve = data.curves.list[panel.curves[0]];
  if (!panel.low) return undefined;
  if (curve.kind === "boolean") return () => [-0.25, 1.25];
  if (curve.literals) return () => [0.5, curve.literals.length + 0.5];
  return (u, low, high) => [(low ?? 0) - 0.5, (high ?? 1) + 0.5];
}

function seriesFor(number, k) {
  const curve = data.curves.list[number];
  const stroke = colour(`c${k % 8}`);
  return {
    label: curve.name, stroke, width: 1.5, points: { show: false }, spanGaps: false,
    paths: curve.at ? uPlot.paths.stepped({ align: 1 }) : undefined,
  };
}

const modeColour = (number) => colour(`m${(number - 1) % 8}`);

function shadeModes(u) {
  if (!view.shades) return;
  const { ctx, bbox } = u;
  ctx.save();
  ctx.globalAlpha = 0.35;
  forStays(modes, view.from, view.to, (from, to, number) => {
    const left = Math.max(u.valToPos(from, "x", true), bbox.left);
    const right = Math.min(u.valToPos(to, "x", true), bbox.left + bbox.width);
    ctx.fillStyle = modeColour(number);
    ctx.fillRect(left, bbox.top, Math.max(right - left, 0.5), bbox.height);
  });
  ctx.restore();
}

// The chosen event is a line over the plot, so that this need not be drawn anew for it.
function placeEvent({ plot, mark }) {
  const time = view.event < 0 ? null : eventTimes[view.event];
  mark.hidden = time === null || time < view.from || time > view.to;
  if (!mark.hidden) mark.style.transform = `translateX(${plot.valToPos(time, "x")}px)`;
}

function plotFor(panel, width) {
  const legend = element("div", { className: "legend" });
  legend.style.paddingLeft = `${GUTTER + 9}px`;
  const cells = panel.curves.map((number, k) => {
    const curve = data.curves.list[number];
    const value = element("b");
    const swatch = element("i");
    swatch.style.background = `var(--c${k % 8})`;
    const remove = element("button", { title: `hide ${curve.name}`, textContent: "×", onclick: () => show(number, false) });
    remove.setAttribute("aria-label", `hide ${curve.name}`);
    legend.append(element("span", { title: curve.about ?? "" }, swatch, curve.name,
      curve.unit && curve.unit !== "1" ? element("small", {}, ` [${curve.unit}]`) : "", value, remove));
    return value;
  });
  const holder = element("div", { className: "plot", role: "img" }, legend);
  holder.setAttribute("aria-label", `${panel.curves.map((n) => data.curves.list[n].name).join(", ")} over time`);
  byId("plots").append(holder);
  const range = rangeFor(panel);
  const options = {
    width, height: panel.low ? LOW : TALL, legend: { show: false }, padding: [4, MARGIN, 4, 0],
    scales: { x: { time: false, range: () => [view.from, view.to] }, y: range ? { range } : {} },
    axes: [{ show: true, size: 0, grid: { stroke: colour("grid"), width: 1 }, ticks: { show: false }, values: (u, s) => s.map(() => "") }, axisFor(panel)],
    series: [{}, ...panel.curves.map(seriesFor)],
    cursor: { y: false, drag: { x: true, y: false, setScale: false, dist: 4 }, points: { size: 6, show: panel.at ? false : undefined } },
    hooks: {
      drawClear: [shadeModes],
      setSelect: [(u) => {
        const { left, width: wide } = u.select;
        if (wide > 3) setRange(u.posToVal(left, "x"), u.posToVal(left + wide, "x"));
        u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      }],
    },
  };
  const columns = panel.curves.map((n) => valuesOf(data.curves.list[n]));
  const plot = new uPlot(options, [data.curves.list[panel.curves[0]].times ?? times, ...columns], holder);
  plot.over.addEventListener("mousemove", (e) => setCursor(plot.posToVal(e.offsetX, "x")));
  plot.over.addEventListener("dblclick", () => setRange(START, STOP));
  plot.over.addEventListener("wheel", (e) => {
    if (!e.ctrlKey) return;
    e.preventDefault();
    zoom(e.deltaY > 0 ? 1.25 : 0.8, plot.posToVal(e.offsetX, "x"));
  }, { passive: false });
  const mark = element("i", { className: "event-mark", hidden: true });
  plot.over.append(mark);
  return { panel, plot, cells, mark };
}

function buildPlots() {
  for (const { plot } of plots) plot.destroy();
  byId("plots").replaceChildren();
  const width = byId("plots").clientWidth;
  plots = panels().map((panel) => plotFor(panel, width));
  followCursor();
}

function show(number, visible) {
  shown = shown.filter((n) => n !== number);
  if (visible) shown.push(number);
  buildPlots();
  tell("look");
}

function followCursor() {
  for (const { plot } of plots) {
    const inSight = view.cursor !== null && view.cursor >= view.from && view.cursor <= view.to;
    const left = inSight ? plot.valToPos(view.cursor, "x") : -10;
    plot.setCursor({ left, top: inSight ? 1 : -10 }, false);
  }
  plots.forEach(placeEvent);
  showValues();
}

listen((what) => {
  if (what === "range") for (const { plot } of plots) plot.setScale("x", { min: view.from, max: view.to });
  if (what === "range") queueMicrotask(followCursor); // a plot has its new scale only then
  if (what === "cursor") followCursor();
  byId("range").textContent = `${timeText(view.from)} to ${timeText(view.to, view.to - view.from)} s`;
});
