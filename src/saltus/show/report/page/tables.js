// Parameters, modes, times, counts, warnings: what is read rather than played with.

function table(heads, found) {
  const cell = (value) => value instanceof Node ? element("td", {}, value)
    : element("td", { className: typeof value === "number" ? "number" : "" }, typeof value === "number" ? digits(value, 7) : value ?? "");
  return element("table", {}, element("thead", {}, element("tr", {}, heads.map((h) => element("th", {}, h)))),
    element("tbody", {}, found.map((row) => element("tr", {}, row.map(cell)))));
}

const leftOut = (count, noun) => (count ? element("p", { className: "left-out" }, `and ${plural(count, noun)} more`) : "");

function listParameters() {
  const word = byId("parameters-filter").value.toLowerCase();
  const fitting = data.parameters.list.filter(([name, , , about]) => `${name} ${about}`.toLowerCase().includes(word));
  const found = fitting.map(([name, value, unit, about, place]) =>
    [element("span", { className: "code" }, name), value, unit, about, placeLink(place) || ""]);
  byId("parameters-table").replaceChildren(
    data.parameters.list.length
      ? element("div", { className: "scroll" }, table(["name", "value", "unit", "description", "line"], found))
      : element("p", { className: "left-out" }, "The model has no parameters."),
    leftOut(data.parameters.left_out, "parameter"));
}

function tellModes() {
  byId("modes").hidden = data.modes.visited < 2;
  const found = data.modes.list.map((mode, k) => [String(k + 1), mode.duration, String(mode.states.length), String(mode.index),
    String(mode.largest), element("span", {}, mode.guards.map(([text, fixed, place], at) => [at ? ", " : "", element(fixed ? "b" : "span", { title: fixed ? "the equations are those of this value" : "" }, text)]).flat())]);
  byId("modes-table").replaceChildren(
    element("p", { className: "left-out" }, `${plural(data.modes.visited, "mode")}, ${plural(data.modes.stays, "stay")}`),
    element("div", { className: "scroll" }, table(["mode", "seconds in it", "states", "index", "largest block", "guards"], found)));
}

function tellRun() {
  const whole = data.seconds.reduce((sum, [, s]) => sum + s, 0) || 1;
  const bar = (share) => {
    const made = element("span", { className: "share" });
    made.style.width = `${Math.max(1, 160 * share)}px`;
    return made;
  };
  byId("seconds").replaceChildren(table(["step", "seconds", ""], data.seconds.map(([step, s]) => [step, Number(s.toPrecision(3)), bar(s / whole)])));
  byId("solver").replaceChildren(table(["counted", ""], data.counts));
}

function tellProblems() {
  const found = data.problems;
  byId("problems").hidden = !found.length;
  byId("to-problems").hidden = !found.length;
  byId("to-problems").classList.toggle("error", found.some((p) => p.severity === "error"));
  const errors = found.filter((p) => p.severity === "error").length, others = found.length - errors;
  byId("to-problems").textContent = [errors ? plural(errors, "error") : "", others ? plural(others, "warning") : ""].filter(Boolean).join(", ");
  byId("problems").querySelector("h2").textContent = [errors ? "Errors" : "", others ? "Warnings" : ""].filter(Boolean).join(" and ").replace("and W", "and w");
  byId("problems-list").replaceChildren(...found.map((p) =>
    element("div", { className: `problem ${p.severity}` }, element("pre", {}, p.text), placeLink(p.place))));
}

function tellHead() {
  byId("model").textContent = data.model.split(".").pop();
  byId("model").title = data.model;
  byId("about").textContent = data.about;
  const points = data.curves.rows;
  byId("facts").textContent = [
    `time ${digits(START)} to ${digits(STOP)} s${data.interrupted ? ", cancelled" : ""}`, plural(data.events.all, "event"),
    times.length < points ? `${points.toLocaleString("en")} points, of which ${times.length.toLocaleString("en")} with all extremes are here`
      : plural(points, "point"), `Saltus ${data.version}`].join(" · ");
}

function tellStructure() {
  byId("structure").hidden = !data.making;
  if (!data.making) return;
  byId("counts").textContent = data.making.counts ?? "";
  byId("equations").textContent = data.making.equations +
    (data.making.left_out ? `\n... and ${plural(data.making.left_out, "line")} more` : "");
}

byId("parameters-filter").addEventListener("input", listParameters);
