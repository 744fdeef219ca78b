// The page is put together.

setTheme(remembered() ?? (dark.matches ? "dark" : "light"), false);
tellHead();
tellProblems();
buildPlots();
listEvents();
tellEvent();
if (data.texts.length) {
  showText(data.place ? data.place[0] : 0);
  if (data.place) lines.scrollTop = Math.max(0, byId(`line-${data.place[1]}`)?.offsetTop - lines.offsetTop - 8);
}
byId("texts").hidden = !data.texts.length;
byId("shades").parentElement.hidden = data.modes.visited < 2;
listParameters();
tellStructure();
drawMatrix();
tellModes();
tellRun();
tell("range");
const seen = recalled();
if (seen) recall(seen);

let width = byId("left").clientWidth;
new ResizeObserver(() => {
  if (byId("left").clientWidth === width) return;
  width = byId("left").clientWidth;
  lineWidth = timeline.clientWidth;
  for (const { plot, panel } of plots) plot.setSize({ width, height: panel.low ? LOW : TALL });
  tell("look");
}).observe(byId("left"));

document.documentElement.dataset.ready = String(Math.round(performance.now()));
