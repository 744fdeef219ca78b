// The time line: a canvas with a row of events, one of modes, and one for each part that decides for itself.

const ROW = 20, AXIS = 22;
const timeline = byId("timeline"), canvas = byId("timeline-canvas"), tip = byId("tip");
const cursorMark = byId("cursor-mark"), eventMark = byId("event-mark");

const rows = [
  ...(eventTimes.length ? [{ name: "events" }] : []),
  ...(data.modes.visited > 1 && modes.numbers.length ? [{ name: "mode", stays: modes }] : []),
  ...data.modes.parts.map((part) => ({ name: part.name, stays: part, part })),
];

// Calls with each stay that is in sight: its limits and its number.
function forStays({ bounds, numbers }, from, to, call) {
  for (let k = Math.max(after(bounds, from) - 1, 0); k < numbers.length && bounds[k] <= to; k++) {
    call(bounds[k], bounds[k + 1], numbers[k]);
  }
}

// The width of the time line, as it was measured last: to ask the browser each time would be slow.
let lineWidth = timeline.clientWidth;
const plotWidth = () => lineWidth - GUTTER - MARGIN;
const toX = (time) => GUTTER + ((time - view.from) / (view.to - view.from)) * plotWidth();
const toTime = (x) => view.from + ((x - GUTTER) / plotWidth()) * (view.to - view.from);

function kindColours() {
  return data.events.words.map((word, k) => colour(`k${Math.min(k, 5)}`));
}

function drawTimeline() {
  const width = lineWidth, height = rows.length * ROW + AXIS + 6, ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  ctx.font = "12px system-ui, sans-serif";
  ctx.textBaseline = "middle";
  drawAxis(ctx, height);
  rows.forEach((row, k) => {
    const top = 4 + k * ROW;
    ctx.fillStyle = colour("faint");
    ctx.textAlign = "right";
    ctx.fillText(fitted(ctx, row.name, GUTTER - 10), GUTTER - 6, top + ROW / 2);
    ctx.save();
    ctx.beginPath();
    ctx.rect(GUTTER, top, plotWidth(), ROW);
    ctx.clip();
    if (row.stays) drawStays(ctx, row, top);
    else drawEvents(ctx, top);
    ctx.restore();
  });
}

function fitted(ctx, text, width) {
  if (ctx.measureText(text).width <= width) return text;
  while (text.length > 1 && ctx.measureText(`…${text}`).width > width) text = text.slice(1);
  return `…${text}`;
}

function drawAxis(ctx, height) {
  const length = view.to - view.from, about = plotWidth() / 110;
  if (!(length > 0)) return;
  const power = 10 ** Math.floor(Math.log10(length / about));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => length / s <= about) ?? 10 * power;
  ctx.fillStyle = colour("faint");
  ctx.strokeStyle = colour("line");
  ctx.textAlign = "center";
  const first = Math.ceil(view.from / step), last = Math.floor(view.to / step + 1e-9);
  for (let k = first; k <= last; k++) {
    const x = toX(k * step);
    ctx.beginPath();
    ctx.moveTo(x, 0);
    ctx.lineTo(x, height - AXIS + 4);
    ctx.stroke();
    const words = timeText(Number((k * step).toPrecision(12)), length);
    const half = ctx.measureText(words).width / 2;
    if (x - half > GUTTER && x + half < lineWidth) ctx.fillText(words, x, height - AXIS / 2 + 2);
  }
  ctx.textAlign = "right";
  ctx.fillText("time [s]", GUTTER - 6, height - AXIS / 2 + 2);
}

// Events of the same pixel are one stroke, the stronger the more they are.
function drawEvents(ctx, top) {
  const kinds = kindColours(), first = Math.max(after(eventTimes, view.from) - 1, 0);
  let k = first;
  while (k < eventTimes.length && eventTimes[k] <= view.to) {
    const x = Math.round(toX(eventTimes[k])), kind = eventKinds[k];
    let count = 0;
    for (; k < eventTimes.length && Math.round(toX(eventTimes[k])) === x; k++) count += 1;
    ctx.globalAlpha = Math.min(1, 0.7 + 0.1 * count);
    ctx.fillStyle = kinds[kind];
    ctx.fillRect(x - 0.75, top + 2, 1.5, ROW - 4);
  }
  ctx.globalAlpha = 1;
}

function drawStays(ctx, row, top) {
  const truth = row.part && row.part.words.length === 2 && row.part.words.some((w) => w.startsWith("not "));
  if (truth) drawTruth(ctx, row, top);
  else drawNumbers(ctx, row, top);
}

// Where something holds: a bar. Of stretches that are narrower than a pixel, the share in which it holds.
function drawTruth(ctx, row, top) {
  const width = Math.ceil(plotWidth()), holds = new Float64Array(width + 1);
  forStays(row.stays, view.from, view.to, (from, to, number) => {
    if (row.part.words[number].startsWith("not ")) return;
    const left = Math.max(toX(from) - GUTTER, 0), right = Math.min(toX(to) - GUTTER, width);
    const first = Math.floor(left), last = Math.min(Math.floor(right), width);
    if (first === last) holds[first] += right - left;
    else {
      holds[first] += first + 1 - left;
      holds.fill(1, first + 1, last);
      holds[last] += right - last;
    }
  });
  ctx.fillStyle = colour("grid");
  ctx.fillRect(GUTTER, top + ROW / 2 - 1, width, 2);
  ctx.fillStyle = colour("c0");
  for (let x = 0, end; x < width; x = end) {
    for (end = x + 1; end < width && holds[end] === holds[x]; end++);
    if (holds[x] <= 0) continue;
    ctx.globalAlpha = Math.min(1, holds[x]);
    ctx.fillRect(GUTTER + x, top + 3, end - x, ROW - 6);
  }
  ctx.globalAlpha = 1;
}

// Stretches with a colour for each number. Of those in one pixel the first is seen.
function drawNumbers(ctx, row, top) {
  ctx.textAlign = "center";
  let drawn = -1;
  forStays(row.stays, view.from, view.to, (from, to, number) => {
    const left = Math.max(toX(from), GUTTER), right = Math.min(toX(to), GUTTER + plotWidth());
    if (right <= drawn) return;
    ctx.fillStyle = modeColour(number + (row.part ? 1 : 0));
    ctx.fillRect(left, top + 3, Math.max(right - left, 1), ROW - 6);
    drawn = right - left < 1 ? Math.floor(left) + 1 : right;
    const words = row.part ? row.part.words[number] : String(number);
    if (right - left > 10 && right - left > ctx.measureText(words).width + 8) {
      ctx.fillStyle = colour("ink");
      ctx.fillText(words, (left + right) / 2, top + ROW / 2);
    }
  });
}

// The cursor and the chosen event: lines over the canvas, so that it need not be drawn anew for them.
function placeMarks() {
  for (const [mark, time] of [[cursorMark, view.cursor], [eventMark, view.event < 0 ? null : eventTimes[view.event]]]) {
    mark.hidden = time === null || time < view.from || time > view.to;
    if (mark.hidden) continue;
    mark.style.transform = `translateX(${toX(time)}px)`;
    mark.style.height = `${rows.length * ROW + 4}px`;
  }
}

// ---------------------------------------------------------------- people

function told(x, y) {
  const row = rows[Math.floor((y - 4) / ROW)], time = toTime(x);
  if (!row || x < GUTTER) return row ? row.name : "";
  if (row.stays) {
    const k = after(row.stays.bounds, time) - 1;
    if (k < 0 || k >= row.stays.numbers.length) return "";
    const number = row.stays.numbers[k];
    const words = row.part ? row.part.words[number] : `mode ${number}: ${data.modes.list[number - 1]?.brief ?? ""}`;
    return `${words}, from ${timeText(row.stays.bounds[k])} to ${timeText(row.stays.bounds[k + 1])} s`;
  }
  const k = nearest(eventTimes, time);
  return k < 0 ? "" : `${timeText(eventTimes[k], view.to - view.from)} s: ${brief(k)}`;
}

let dragged = null;

canvas.addEventListener("pointermove", (e) => {
  const time = toTime(e.offsetX);
  if (dragged) {
    if (Math.abs(e.offsetX - dragged.x) > 3) dragged.moved = true;
    if (dragged.moved) {
      const by = ((dragged.x - e.offsetX) / plotWidth()) * (dragged.to - dragged.from);
      const length = dragged.to - dragged.from;
      const from = Math.max(START, Math.min(dragged.from + by, STOP - length));
      setRange(from, from + length);
    }
    return;
  }
  if (time >= view.from && time <= view.to) setCursor(time);
  tip.textContent = told(e.offsetX, e.offsetY);
  tip.hidden = !tip.textContent;
  tip.style.left = `${Math.min(e.offsetX + 12, lineWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${e.offsetY + (e.offsetY > ROW * 1.5 ? -tip.offsetHeight - 6 : 16)}px`;
});
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
canvas.addEventListener("pointerdown", (e) => {
  if (e.button !== 0) return;
  canvas.setPointerCapture(e.pointerId);
  dragged = { x: e.offsetX, from: view.from, to: view.to, moved: false };
});
canvas.addEventListener("pointerup", (e) => {
  const was = dragged;
  dragged = null;
  if (!was || was.moved) return;
  // A stay is chosen by the event with which it has begun.
  const row = rows[Math.floor((e.offsetY - 4) / ROW)];
  let time = toTime(e.offsetX);
  if (row && row.stays) time = row.stays.bounds[Math.max(after(row.stays.bounds, time) - 1, 0)];
  // Of several in the same place, the first: what follows from it comes after it.
  const found = nearest(eventTimes, time);
  const pixel = (view.to - view.from) / plotWidth();
  chooseEvent(Math.min(found, after(eventTimes, eventTimes[found] - pixel)));
});
canvas.addEventListener("dblclick", () => setRange(START, STOP));
canvas.addEventListener("wheel", (e) => {
  e.preventDefault();
  if (Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey) move(Math.sign(e.deltaX || e.deltaY) * 0.1);
  else zoom(e.deltaY > 0 ? 1.25 : 0.8, toTime(e.offsetX));
}, { passive: false });

let waiting = false, stale = true;
listen((what) => {
  stale ||= what === "range" || what === "look";
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    if (stale) drawTimeline();
    stale = false;
    placeMarks();
  });
});
