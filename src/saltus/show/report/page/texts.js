// The texts of the model. Lines that made events have their number in colour and the count of these beside them.

const lines = byId("texts-lines"), whichText = byId("texts-choice");
let textShown = -1;

const KEYWORDS = new Set(("algorithm and annotation block break class connect connector constant der each else elseif " +
  "elsewhen encapsulated end equation expandable extends external false final flow for function if import in initial " +
  "inner input loop model not operator or outer output package parameter partial protected public pure record " +
  "redeclare replaceable return stream then true type when while within").split(" "));
const TOKEN = /("(?:[^"\\]|\\.)*"?)|(\/\/.*|\/\*.*?(?:\*\/|$))|([A-Za-z_]\w*)|([^A-Za-z_"/]+|\/)/g;
const ENDS = { string: /^(?:[^"\\]|\\.)*"/, comment: /^.*?\*\// };

// The pieces of a line, and what it leaves open: a string or a comment may go on in the next line.
function coloured(text, open) {
  const span = (kind, words) => element("span", { className: kind }, words);
  const made = [];
  let rest = text;
  if (open) {
    const end = rest.match(ENDS[open]);
    if (!end) return [[span(open, rest)], open];
    made.push(span(open, end[0]));
    rest = rest.slice(end[0].length);
    open = "";
  }
  for (const [all, string, comment, word] of rest.matchAll(TOKEN)) {
    const kind = string ? "string" : comment ? "comment" : word && KEYWORDS.has(word) ? "keyword" : "";
    made.push(kind ? span(kind, all) : all);
    if (string && !/^"(?:[^"\\]|\\.)*"$/.test(all)) open = "string";
    if (comment && all.startsWith("/*") && !all.endsWith("*/")) open = "comment";
  }
  return [made, open];
}

// How many events a line has caused, by text and line.
const eventsOfLines = new Map();
data.events.list.forEach((event) => {
  for (const [number] of event.why ?? []) {
    const place = causeOf(number).place;
    if (place) eventsOfLines.set(`${place[0]}:${place[1]}`, (eventsOfLines.get(`${place[0]}:${place[1]}`) ?? 0) + 1);
  }
});

function showText(number) {
  if (number === textShown || !data.texts[number]) return;
  textShown = number;
  whichText.value = String(number);
  const made = [];
  data.texts[number].parts.forEach((stretch, k) => {
    if (k > 0) made.push(element("div", { className: "left-out" }, "…"));
    let open = "", pieces;
    stretch.lines.forEach((text, at) => {
      const line = stretch.first + at, count = eventsOfLines.get(`${number}:${line}`);
      [pieces, open] = coloured(text, open);
      const row = element("div", { className: `code-line code${count ? " points" : ""}`, id: `line-${line}` },
        element("span", {}, String(line)), element("span", {}, pieces));
      if (count) {
        const only = element("button", { textContent: plural(count, "event"), title: "list these events",
          onclick: () => eventsOfLine([number, line]) });
        row.append(only);
      }
      made.push(row);
    });
  });
  lines.replaceChildren(...made);
}

function eventsOfLine(place) {
  wanted.word = "";
  wanted.place = place;
  byId("events-filter").value = `${data.texts[place[0]].name}:${place[1]}`;
  list.scrollTop = 0;
  listEvents();
}

function showPlace([text, line, column, length]) {
  showText(text);
  for (const old of lines.querySelectorAll(".here")) old.classList.remove("here");
  const row = byId(`line-${line}`);
  if (!row) return;
  row.classList.add("here");
  lines.scrollTop = row.offsetTop - lines.offsetTop - lines.clientHeight / 2;
}

whichText.append(...data.texts.map((text, k) => element("option", { value: String(k), title: text.path }, text.name)));
whichText.addEventListener("change", () => showText(Number(whichText.value)));
