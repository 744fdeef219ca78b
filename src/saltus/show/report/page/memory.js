// What was seen is seen again when the page is loaded again: the variables, the stretch of time, the chosen event.

const MEMORY = `saltus-seen ${data.model} ${location.pathname}`;

function remember() {
  const seen = {
    shown: shown.map((n) => data.curves.list[n].name),
    range: view.from === START && view.to === STOP ? null : [view.from, view.to],
    event: view.event < 0 ? null : { number: view.event, time: eventTimes[view.event], why: brief(view.event) },
    shades: view.shades, plots: byId("plots").scrollTop, page: scrollY,
  };
  try { sessionStorage.setItem(MEMORY, JSON.stringify(seen)); } catch { /* a page in a file may not */ }
}

function recalled() {
  if (performance.getEntriesByType("navigation")[0]?.type !== "reload") return null;
  try { return JSON.parse(sessionStorage.getItem(MEMORY)); } catch { return null; }
}

function recall(seen) {
  const names = data.curves.list.map((c) => c.name);
  const still = seen.shown.map((name) => names.indexOf(name)).filter((n) => n >= 0);
  if (still.length || !seen.shown.length) shown = still;
  view.shades = byId("shades").checked = seen.shades;
  buildPlots();
  if (seen.range) setRange(...seen.range);
  const event = seen.event ? sameEvent(seen.event) : -1;
  if (event >= 0) chooseEvent(event);
  byId("plots").scrollTop = seen.plots;
  scrollTo(0, seen.page);
}

// The event of the same number, if it has the same cause, though it may be at another time; or one with that cause near by.
function sameEvent({ number, time, why }) {
  const near = nearest(eventTimes, time);
  return [number, near, near + 1, near - 1].find((k) => k >= 0 && k < eventTimes.length && brief(k) === why) ?? -1;
}

addEventListener("pagehide", remember);
