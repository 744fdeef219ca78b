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


def test_libraries_of_the_settings_and_of_the_command_line(folder: Path) -> None:
    text = "model M\n  Shop.Tank tank;\nend M;\n"
    uri = (folder / "M.mo").as_uri()
    for arguments, options in (((), {"libraries": ["libraries"]}), (("--library", "libraries"), {})):
        with Client(*arguments, folder=folder, options=options) as client:
            client.open(uri, text)
            assert client.diagnostics(uri) == []
            place = client.request("textDocument/definition", client.at(uri, text, "Shop.|Tank"))
            assert place["uri"] == (folder / "libraries" / "Shop" / "Tank.mo").as_uri()
            assert place["range"]["start"] == {"line": 1, "character": 6}
    with Client(folder=folder) as client:
        client.open(uri, text)
        (found,) = client.diagnostics(uri)
        assert found["code"] == "E201" and "Shop" in found["message"]
        settings = {"saltus": {"libraries": ["libraries"]}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert client.diagnostics(uri) == []


def test_another_language_is_checked_too(folder: Path) -> None:
    uri = (folder / "oscillator.bg").as_uri()
    text = "graph G\n  Se source(e = 1)\n  I mass(I = 1, p0 = 0)\n  bond source -> mas\nend G\n"
    with Client(folder=folder) as client:
        client.open(uri, text, "bondgraph")
        (found, *_) = client.diagnostics(uri)
        assert found["range"]["start"]["line"] == 3 and "mas" in found["message"]
        client.change(uri, text.replace("mas\n", "mass\n"))
        assert client.diagnostics(uri) == []
