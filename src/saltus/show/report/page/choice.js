// Which variables are drawn.

function openChoice(open) {
  byId("choice").hidden = !open;
  byId("choose").setAttribute("aria-expanded", String(open));
  if (!open) return;
  listVariables();
  byId("choice-filter").focus();
}

function listVariables() {
  const word = byId("choice-filter").value.toLowerCase();
  const fitting = data.curves.list
    .map((curve, number) => [curve, number])
    .filter(([c]) => `${c.name} ${c.unit} ${c.about ?? ""}`.toLowerCase().includes(word));
  byId("choice-list").replaceChildren(...fitting.map(([curve, number]) => {
    const box = element("input", { type: "checkbox", checked: shown.includes(number) });
    box.addEventListener("change", () => show(number, box.checked));
    return element("li", {}, element("label", {}, box, curve.name,
      element("small", {}, `${curve.unit ? `[${curve.unit}] ` : ""}${curve.about ?? ""}`)));
  }));
  const missing = data.curves.all - data.curves.list.length;
  byId("choice-more").textContent = missing > 0
    ? `${plural(missing, "other name")}: of names for the same curve one is here, and of many the first; ` +
      "saltus report --plot-variables A,B takes others" : "";
}

byId("choose").addEventListener("click", () => openChoice(byId("choice").hidden));
byId("choice-filter").addEventListener("input", listVariables);
