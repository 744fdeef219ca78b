// Of a page that is watched: it is loaded anew when there is another run, and what is wrong with the model is told.

const version = {{version}};
const box = document.createElement("div");
box.id = "watch";
box.setAttribute("role", "alert");
box.hidden = true;
document.body.append(box);

function tellProblem(title, text) {
  const head = document.createElement("b"), words = document.createElement("pre");
  head.textContent = title;
  words.textContent = text;
  box.replaceChildren(head, words);
  box.hidden = !title;
}

const changes = new EventSource("/changes");
changes.onmessage = (e) => {
  const news = JSON.parse(e.data);
  if (news.version !== version) location.reload();
  else tellProblem(news.problem ? "The model as it was saved:" : "", news.problem);
};
changes.onerror = () => tellProblem("`saltus report --watch` has ended.", "");
