// What is seen: a stretch of time, a cursor, a chosen event. Everything on the page listens to it, and what
// people do comes here first: so all parts agree.

const view = { from: START, to: STOP, cursor: null, event: -1, shades: false };
const listeners = [];

// `what` is "range", "cursor", "event" or "look".
function listen(listener) {
  listeners.push(listener);
}

function tell(what) {
  for (const listener of listeners) listener(what);
}

function setRange(from, to) {
  const whole = STOP - START || 1;
  const length = Math.min(Math.max(to - from, whole * 1e-9, Math.abs(STOP) * 1e-13), whole);
  let first = (from + to - length) / 2;
  first = Math.max(START, Math.min(first, STOP - length));
  if (first === view.from && first + length === view.to) return;
  view.from = first;
  view.to = Math.min(first + length, STOP);
  tell("range");
}

function zoom(factor, around = null) {
  const at = around ?? (view.cursor !== null && view.cursor >= view.from && view.cursor <= view.to
    ? view.cursor : (view.from + view.to) / 2);
  setRange(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

function move(share) {
  const by = (view.to - view.from) * share;
  const to = Math.min(STOP, Math.max(view.to + by, START + (view.to - view.from)));
  setRange(to - (view.to - view.from), to);
}

function setCursor(time) {
  if (time === view.cursor) return;
  view.cursor = time;
  tell("cursor");
}

// Chooses an event: the cursor goes there, and so do the curves, if it is not in sight.
function chooseEvent(number) {
  if (number < -1 || number >= eventTimes.length) return;
  view.event = number;
  if (number >= 0) {
    const time = eventTimes[number];
    view.cursor = time;
    if (time < view.from || time > view.to) {
      const half = (view.to - view.from) / 2;
      setRange(time - half, time + half);
    }
  }
  tell("event");
  tell("cursor");
}

// So near to an event that its neighbours can be told apart.
function zoomToEvent() {
  if (view.event < 0) return;
  const time = eventTimes[view.event];
  const near = [-5, 5].map((by) => eventTimes[Math.min(Math.max(view.event + by, 0), eventTimes.length - 1)]);
  const half = Math.min(Math.max(time - near[0], near[1] - time) || Infinity, (view.to - view.from) / 10);
  setRange(time - half, time + half);
}

// The event after the chosen one, or after the cursor, in this direction; of those that are listed.
function stepEvent(by) {
  const listed = eventsListed();
  if (!listed.length) return;
  let place;
  if (view.event >= 0) {
    place = after(listed, view.event) - 1;
    if (by > 0) place += 1;
    else if (listed[place] === view.event) place -= 1;
  } else {
    const at = view.cursor ?? view.from;
    const first = listed.findIndex((k) => (view.cursor === null ? eventTimes[k] >= at : eventTimes[k] > at));
    place = (first < 0 ? listed.length : first) + (by > 0 ? 0 : -1);
  }
  if (place >= 0 && place < listed.length) chooseEvent(listed[place]);
}
