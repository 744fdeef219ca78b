// Keys, buttons, light and dark.

const KEYS = {
  ArrowLeft: (e) => (e.shiftKey ? move(-0.2) : stepEvent(-1)),
  ArrowRight: (e) => (e.shiftKey ? move(0.2) : stepEvent(1)),
  "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
  0: () => setRange(START, STOP),
  z: zoomToEvent,
  v: () => openChoice(byId("choice").hidden),
  "/": () => byId("events-filter").focus(),
  t: () => setTheme(theme() === "dark" ? "light" : "dark"),
  "?": () => byId("help").showModal(),
  Escape: () => {
    if (!byId("choice").hidden) openChoice(false);
    else chooseEvent(-1);
  },
};

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || byId("help").open) return;
  const field = e.target.closest("input:not([type=checkbox]), select, textarea");
  if (field && e.key !== "Escape") return;
  if (field) field.blur();
  if (list.contains(e.target) && (e.key === "ArrowUp" || e.key === "ArrowDown")) {
    e.preventDefault();
    stepEvent(e.key === "ArrowUp" ? -1 : 1);
    return;
  }
  const act = KEYS[e.key];
  if (!act) return;
  e.preventDefault();
  act(e);
});

byId("all").addEventListener("click", () => setRange(START, STOP));
byId("closer").addEventListener("click", () => zoom(0.5));
byId("farther").addEventListener("click", () => zoom(2));
byId("help-button").addEventListener("click", () => byId("help").showModal());
byId("theme").addEventListener("click", KEYS.t);
byId("shades").addEventListener("change", (e) => {
  view.shades = e.target.checked;
  for (const { plot } of plots) plot.redraw(false);
});

// ---------------------------------------------------------------- light and dark

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => document.documentElement.dataset.theme;

// A page in a file may not be allowed to remember anything: then it asks the system each time.
function remembered() {
  try { return localStorage.getItem("saltus-theme"); } catch { return null; }
}

function setTheme(wished, remember = true) {
  document.documentElement.dataset.theme = wished;
  colours.clear();
  byId("theme").textContent = wished === "dark" ? "Light" : "Dark";
  if (remember) try { localStorage.setItem("saltus-theme", wished); } catch { /* see above */ }
  if (plots.length) redrawAll();
}

function redrawAll() {
  buildPlots();
  drawMatrix();
  tell("look");
}

dark.addEventListener("change", () => { if (!remembered()) setTheme(dark.matches ? "dark" : "light", false); });
