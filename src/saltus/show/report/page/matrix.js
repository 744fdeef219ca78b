// The incidence matrix: row i is the i-th equation in order of evaluation, column i the unknown that it is solved for.

const matrix = data.making?.matrix;
const SIDE = 420;
const BLOCK = { explicit: "c0", linear: "c2", nonlinear: "c1", discrete: "c3" };
const BLOCK_WORDS = { explicit: "explicit: one equation, solved by itself", linear: "linear loop", nonlinear: "nonlinear loop", discrete: "discrete, at events only" };
const chosenEquation = { row: -1 };

if (matrix) {
  const counts = unpacked(matrix.counts), columns = unpacked(matrix.columns);
  matrix.rows = [];
  for (let k = 0, at = 0; k < counts.length; at += counts[k], k++) matrix.rows.push(columns.subarray(at, at + counts[k]));
  matrix.blockOf = matrix.rows.map(() => null);
  for (const block of matrix.blocks) matrix.blockOf.fill(block, block[0], block[0] + block[1]);
}

function drawMatrix() {
  byId("matrix").hidden = !matrix;
  if (!matrix) return;
  const sheet = byId("matrix-canvas"), ratio = devicePixelRatio || 1, count = matrix.rows.length;
  const cell = Math.min(SIDE / count, 20), side = Math.ceil(cell * count) + 2;
  sheet.width = sheet.height = side * ratio;
  sheet.style.width = sheet.style.height = `${side}px`;
  const ctx = sheet.getContext("2d");
  ctx.scale(ratio, ratio);
  ctx.translate(1, 1);
  ctx.strokeStyle = colour("line");
  ctx.strokeRect(0, 0, cell * count, cell * count);
  const dot = Math.max(cell * 0.7, 1.2);
  matrix.rows.forEach((row, k) => {
    const [start, size, kind] = matrix.blockOf[k];
    if (k === chosenEquation.row) {
      ctx.fillStyle = colour("chosen");
      ctx.fillRect(0, k * cell, cell * count, cell);
    }
    for (const column of row) {
      ctx.fillStyle = colour(column < start ? "faint" : BLOCK[kind]);
      ctx.fillRect((column + 0.5) * cell - dot / 2, (k + 0.5) * cell - dot / 2, dot, dot);
    }
  });
  for (const [start, size, kind] of matrix.blocks) {
    if (size < 2) continue;
    ctx.strokeStyle = colour(BLOCK[kind]);
    ctx.strokeRect(start * cell, start * cell, size * cell, size * cell);
  }
  byId("matrix-legend").replaceChildren(...Object.entries(BLOCK_WORDS).map(([kind, words]) => {
    const number = matrix.blocks.filter((b) => b[2] === kind).length;
    if (!number) return "";
    const swatch = element("i");
    swatch.style.background = `var(--${BLOCK[kind]})`;
    return element("li", {}, swatch, `${words} (${plural(number, "block")})`);
  }).filter(Boolean));
}

function tellEquation(row) {
  if (!matrix || row < 0 || row >= matrix.rows.length) return;
  chosenEquation.row = row;
  drawMatrix();
  const [start, size, kind] = matrix.blockOf[row];
  const earlier = Array.from(matrix.rows[row]).filter((c) => c < start).map((c) => matrix.unknowns[c]);
  byId("matrix-told").replaceChildren(
    element("p", {}, `Equation ${row + 1} of ${matrix.rows.length}, ${size > 1 ? `in a ${kind} loop of ${size}` : kind}, for `, element("b", { className: "code" }, matrix.unknowns[row])),
    element("pre", {}, matrix.equations[row]),
    element("p", { className: "faint" }, earlier.length ? `needs ${earlier.join(", ")}` : "needs no unknown of earlier blocks"));
}

byId("matrix-canvas").addEventListener("pointermove", (e) => {
  const row = Math.floor((e.offsetY / e.target.clientHeight) * (matrix ? matrix.rows.length : 0));
  if (row !== chosenEquation.row) tellEquation(row);
});
byId("matrix-canvas").addEventListener("keydown", (e) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (!by) return;
  e.preventDefault();
  tellEquation(Math.max(0, chosenEquation.row + by));
});
