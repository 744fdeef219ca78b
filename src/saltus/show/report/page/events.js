// The list of events, and what is told about the chosen one. Only rows that are in sight are elements.

const HEIGHT = 24;
const list = byId("events-list");
const filler = element("div");
const wanted = { word: "", place: null }; // what is listed: events with a word, or whose cause is in a line
let listed = null;

const detail = (k) => data.events.list[k];
const causeOf = (k) => data.events.causes[k];
const nameOf = (k) => data.events.names[k];
const TRUTH = { 0: " became false", 1: " became true", [-1]: "" };

// The causes of an event in one line.
function brief(k) {
  const event = detail(k);
  if (!event) return data.events.words[eventKinds[k]];
  return (event.why ?? []).map(([cause, truth]) => causeOf(cause).text + TRUTH[truth]).join(", ") ||
    data.events.words[eventKinds[k]];
}

// The same in two elements: where there is little room the end stays, which tells what became of the relation.
function briefParts(k) {
  const told = brief(k);
  const end = [TRUTH[0], TRUTH[1]].find((truth) => told.endsWith(truth)) ?? "";
  return [element("span", {}, told.slice(0, told.length - end.length)), element("b", {}, end)];
}

function words(k) {
  const event = detail(k) ?? {};
  const changed = [...(event.set ?? []), ...(event.jumped ?? []), ...(event.impulses ?? [])].map(([n]) => nameOf(n));
  return `${brief(k)} ${changed.join(" ")} ${event.equations ?? ""}`.toLowerCase();
}

const isAt = (place, line) => place && line && place[0] === line[0] && place[1] === line[1];
const causes = (k) => [...(detail(k)?.why ?? []), ...(detail(k)?.turned ?? [])];

function eventsListed() {
  if (listed === null) {
    const all = Array.from(eventTimes.keys());
    const fits = (k) => (!wanted.word || words(k).includes(wanted.word)) &&
      (!wanted.place || causes(k).some(([c]) => isAt(causeOf(c).place, wanted.place)));
    listed = wanted.word || wanted.place ? all.filter(fits) : all;
  }
  return listed;
}

function listEvents() {
  listed = null;
  const count = eventsListed().length;
  filler.style.height = `${count * HEIGHT}px`;
  byId("events-count").textContent = count === eventTimes.length && count < data.events.all
    ? `${count} of ${data.events.all}` : count === eventTimes.length ? String(count) : `${count} of ${eventTimes.length}`;
  drawRows();
}

function drawRows() {
  const numbers = eventsListed();
  const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 5);
  const last = Math.min(numbers.length, first + Math.ceil(list.clientHeight / HEIGHT) + 10);
  const made = [];
  for (let place = first; place < last; place++) {
    const k = numbers[place];
    const dot = element("i", { className: "dot", title: data.events.words[eventKinds[k]] });
    dot.style.background = `var(--k${Math.min(eventKinds[k], 5)})`;
    const row = element("div", { className: "row", role: "option", id: `event-${k}`, title: brief(k),
      onclick: () => chooseEvent(k) }, dot, element("time", {}, fixedTime(eventTimes[k])), ...briefParts(k));
    row.style.top = `${place * HEIGHT}px`;
    row.setAttribute("aria-selected", String(k === view.event));
    made.push(row);
  }
  list.replaceChildren(filler, ...made);
  if (view.event >= 0) list.setAttribute("aria-activedescendant", `event-${view.event}`);
}

function scrollToEvent() {
  const place = eventsListed().indexOf(view.event);
  if (place < 0) return;
  const top = place * HEIGHT;
  if (top < list.scrollTop || top + HEIGHT > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

// ---------------------------------------------------------------- the chosen event

function placeLink(place) {
  if (!place) return "";
  const link = element("a", { href: "#texts", className: "place" }, `${data.texts[place[0]].name}:${place[1]}`);
  link.addEventListener("click", (e) => { e.preventDefault(); showPlace(place); });
  return link;
}

function part(title, items) {
  return items.length ? [element("h4", {}, title), element("ul", {}, items)] : [];
}

const written = (value) => (typeof value === "number" ? digits(value, 7) : String(value));
const change = ([name, old, now]) => {
  const few = written(old) !== written(now) || typeof now !== "number";
  const both = [old, now].map((v) => (few ? written(v) : digits(v, 9)));
  return element("li", {}, element("code", {}, nameOf(name)), `: ${both.join(" → ")}`,
    both[0] === both[1] ? element("span", { className: "faint" }, " (they differ in further digits)") : "");
};

function tellEvent() {
  const box = byId("event"), k = view.event;
  if (k < 0) {
    box.replaceChildren(element("span", { className: "faint" }, eventTimes.length
      ? "Choose an event: in the list, on the time line, or with ← and →." : "Nothing happened."));
    return;
  }
  const event = detail(k);
  const nearer = element("button", { textContent: "zoom here", title: "z", onclick: zoomToEvent });
  const title = element("h3", {}, `${digits(eventTimes[k], 10)} s`,
    element("span", { className: "faint" }, eventKinds[k] < 2 ? `${data.events.words[eventKinds[k]]} event` : data.events.words[eventKinds[k]]), nearer);
  if (!event) {
    box.replaceChildren(title, "What happened at so late an event is not on this page: `saltus simulate --events FILE` tells.");
    return;
  }
  const residues = (before, now) => (before === null || before === undefined ? ""
    : element("span", { className: "faint" }, ` (${written(before)} → ${written(now)})`));
  const cause = ([number, truth, before, now]) => {
    const found = causeOf(number);
    return element("li", {}, element("code", {}, found.text), TRUTH[truth], residues(before, now), " ", placeLink(found.place));
  };
  box.replaceChildren(title,
    ...part("why", (event.why ?? []).map(cause)),
    ...part("also turned", (event.turned ?? []).map(cause)),
    ...part("variables", (event.set ?? []).map(change)),
    ...part("states", (event.jumped ?? []).map(change)),
    ...part("impulses", (event.impulses ?? []).map(([name, weight, unit]) =>
      element("li", {}, element("code", {}, nameOf(name)), `: ${written(weight)} ${unit}`))),
    ...part("equations changed", event.equations ? [element("li", {}, event.equations)] : []),
    ...part("iterations", event.rounds ? [element("li", {}, String(event.rounds))] : []));
  box.scrollTop = 0;
}

byId("events-filter").addEventListener("input", (e) => {
  wanted.word = e.target.value.toLowerCase();
  wanted.place = null;
  list.scrollTop = 0;
  listEvents();
});
list.addEventListener("scroll", drawRows);
listen((what) => {
  if (what !== "event") return;
  scrollToEvent();
  drawRows();
  tellEvent();
  const event = view.event >= 0 ? detail(view.event) : null;
  const place = event && causes(view.event).map(([c]) => causeOf(c).place).find((p) => p);
  if (place) showPlace(place);
});
