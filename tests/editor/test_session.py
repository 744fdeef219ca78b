"""A session in an editor: a client speaks the protocol with the real `saltus lsp`."""

from __future__ import annotations

from pathlib import Path

import pytest
from protocol_client import Client

RIG = """model Rig "Discharge"
  Saltus.Electrical.Resistor resistor(R = 100);
  Saltus.Electrical.Capacitor capacitor(C = 1e-6, v(start = 1, fixed = true));
  Saltus.Electrical.Ground ground;
equation
  connect(resistor.p, capacitor.p);
  connect(resistor.n, capacitor.n);
  connect(capacitor.n, ground.p);
end Rig;
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("session")
    package = made / "libraries" / "Shop"
    package.mkdir(parents=True)
    (package / "package.mo").write_text("package Shop end Shop;\n")
    (package / "Tank.mo").write_text("within Shop;\nmodel Tank\n  Real level(start = 1, fixed = true);\n"
                                     "equation\n  der(level) = -level;\nend Tank;\n")  # fmt: skip
    (made / "more").mkdir()
    (made / "more" / "Store.mo").write_text("package Store\n  model Shelf end Shelf;\nend Store;\n")
    return made


def test_a_session(folder: Path) -> None:
    """Open, a mistake, its diagnostic, completion, hover, definition; and it ends as it should."""
    uri = (folder / "Rig.mo").as_uri()
    with Client(folder=folder) as client:
        client.open(uri, RIG)
        assert client.diagnostics(uri) == []

        mistake = RIG.replace("capacitor.n, ground.p", "capacitor.n, grund.p")
        client.change(uri, mistake)
        (found,) = client.diagnostics(uri)
        assert (found["code"], found["severity"], found["source"]) == ("E201", 1, "saltus")
        assert "grund" in found["message"] and "did you mean" in found["message"]
        assert found["range"]["start"]["line"] == 7
        column = mistake.splitlines()[7].index("grund")
        assert found["range"]["start"]["character"] == column

        client.change(uri, RIG)
        assert client.diagnostics(uri) == []

        typing = RIG.replace("resistor(R = 100);", "resistor(;")
        client.change(uri, typing)
        answer = client.request("textDocument/completion", client.at(uri, typing, "resistor(|;"))
        (proposal,) = [item for item in answer["items"] if item["label"] == "R"]
        assert proposal["textEdit"]["newText"] == "R = " and "[Ohm]" in proposal["detail"]

        client.change(uri, RIG)
        text = client.request("textDocument/hover", client.at(uri, RIG, "(|R = 100"))["contents"]["value"]
        assert "v = R*i" in text and "`Ohm`" in text and "Resistance" in text
        assert "`i` in `A`" in text

        place = client.request("textDocument/definition", client.at(uri, RIG, "Electrical.|Capacitor"))
        assert place["uri"].endswith("/Saltus/Electrical/Capacitor.mo")
        line = place["range"]["start"]["line"]
        path = Path(place["uri"].removeprefix("file://"))
        assert path.read_text().splitlines()[line].startswith("model Capacitor")
    assert client.status == 0
    assert "Traceback" not in client.errors


def test_libraries_other_languages_and_an_editor_that_vanishes(folder: Path) -> None:
    """Folders of the command line and of settings that change; and a server ends when its pipe is closed."""
    text = "model M\n  Shop.Tank tank;\n  Store.Shelf shelf;\nend M;\n"
    uri, graph = (folder / "M.mo").as_uri(), (folder / "G.bg").as_uri()
    bonds = "graph G\n  Se source(e = 1)\n  I mass(I = 1, p0 = 0)\n  bond source -> mas\nend G\n"
    with Client("--library", "libraries", folder=folder) as client:
        client.open(uri, text)
        (found,) = client.diagnostics(uri)
        assert found["code"] == "E201" and "Store" in found["message"]
        settings = {"saltus": {"libraries": ["more", "none"]}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert client.diagnostics(uri) == []
        for marked, file in (("Shop.|Tank", "libraries/Shop/Tank.mo"), ("Store.|Shelf", "more/Store.mo")):
            place = client.request("textDocument/definition", client.at(uri, text, marked))
            assert place["uri"] == (folder / file).as_uri()
            assert place["range"]["start"] == {"line": 1, "character": 6 if "Tank" in file else 8}

        client.open(graph, bonds, "bondgraph")
        (found, *_) = client.diagnostics(graph)
        assert found["range"]["start"]["line"] == 3 and "mas" in found["message"]
        client.change(graph, bonds.replace("mas\n", "mass\n"))
        assert client.diagnostics(graph) == []
        assert client.vanish() is not None
