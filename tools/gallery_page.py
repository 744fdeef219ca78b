"""docs/gallery, one page for each paper, made from runs of its models: picture, model, modes, log, what to
look at.

Usage: `python tools/gallery_page.py [NAME ...]` runs all models, or those with these words in their names,
and writes the pages and the pictures anew. `tests/gallery/test_gallery_page.py` runs every model again and
compares what it tells with its page.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from saltus.catalogue import gallery
from saltus.core.diagnostics import SaltusError
from saltus.ir.catalogue import Exhibit, Wing
from saltus.tools.gallery_tour import Tour

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "gallery"
INDEX = PAGES / "README.md"
PICTURES = ROOT / "docs" / "images" / "gallery"

#: Lines of a log, and of a table of modes, on a page.
LINES = 16

#: Dots per inch of the pictures: they are many.
DPI = 60

HEAD = """# The gallery

The models, listings and figures of five papers that Saltus grows from, as Modelica classes in
`Saltus.Examples.Papers`, with the parameters of the papers where they give them. What a paper says is told
in our words. `saltus gallery` lists them all, `saltus gallery NAME` runs one and shows its modes, its log and
its plot, and with `--text` prints it.

Tests compare each of them with the numbers of its paper, or with a closed form or a separate integration.
The pages are made from runs by `tools/gallery_page.py`; long logs are cut.
"""

#: What each paper is about, by the last word of its package.
ABOUT = {
    "Elmqvist1993": "How objects and equations describe systems that switch: limiters and relays, equations "
    "at instants, switches that turn cause and effect round, the ideal diode, dry friction. It is written in "
    "[the Dymola language of 1993](../dymola.md), and logs of Saltus have the form of the log that it prints "
    "([events](../events.md)).",
    "Mosterman1998": "What happens in the instant in which a clutch closes or bodies collide: momentum is "
    "conserved, and the mode that comes next follows from impulses ([modes](../modes.md)). The figures are "
    "[hybrid bond graphs](../bondgraphs.md), too.",
    "Beek1998": "Processes in [chi](../chi.md): guarded equations, state events and selective waiting, for "
    "tanks with valves and for friction.",
    "Mattsson1999": "From ideal diodes and friction to code that runs in real time: curves with a parameter, "
    "mixed systems of equations at events, tearing ([structure](../structure.md)), and a gearbox whose "
    "equations change with every shift ([modes](../modes.md)).",
    "Cellier2013": "A lecture: circuits whose structure varies ([modes](../modes.md)), mixed-mode "
    "integration ([real time](../realtime.md)), friction in several forms, [Petri nets](../petrinets.md).",
}

#: The picture that stands for a paper.
FACES = {
    "Elmqvist1993": "Fig6_RectifierVoltages",
    "Mosterman1998": "Fig6_ConservationOfMomentum",
    "Beek1998": "Sec41_TCD2",
    "Mattsson1999": "Fig7_Gearbox",
    "Cellier2013": "Slide_MechanicalFrictionXI_Declarative",
}

#: A short way through all papers: an exhibit, and what it teaches.
STOPS = (
    ("Elmqvist1993.Fig2_Limiter", "an event is where a relation changes its truth"),
    ("Elmqvist1993.Sec5_BouncingBall", "an event changes a state"),
    ("Elmqvist1993.Sec5_SampledSystem", "a clock makes events"),
    ("Mattsson1999.Fig2_IdealDiode", "an ideal element is a curve with a corner"),
    ("Elmqvist1993.Sec6_SwitchInductor", "a mode has other equations, and a jump has an impulse"),
    ("Mosterman1998.Fig6_ConservationOfMomentum", "what is conserved decides how a mode is entered"),
    ("Mattsson1999.Fig4_Friction", "dry friction sticks and slides"),
    ("Beek1998.Sec41_TCD1", "a process of another language, with guards"),
    ("Cellier2013.Slide_PetriNetsVIII_Friction", "a net of places and transitions says it, too"),
    ("Mattsson1999.Fig7_Gearbox", "all of it together: a gearbox that shifts"),
)


def page_of(wing: Wing) -> Path:
    """The file with the page about a paper."""
    return PAGES / wing.page


def anchor(exhibit: Exhibit) -> str:
    """What stands between the parts of a page, by which they are found again."""
    return f"<!-- {exhibit.short} -->"


def picture(exhibit: Exhibit) -> Path:
    """The file with the plot."""
    return PICTURES / f"{exhibit.short}.png"


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def section(tour: Tour) -> str:
    """What a page says about an exhibit."""
    e = tour.exhibit
    modes, log = tour.modes(LINES) if e.modes else [], tour.log(LINES) if e.log else []
    parts = [
        anchor(e),
        f"## {e.description}",
        f"`{e.short}`: {e.place}.",
        f"**In the paper.** {e.passage}",
        f"**What to look at.** {e.look}",
        f"![{', '.join(e.plot)}](../{picture(e).relative_to(PAGES.parent).as_posix()})",
        f"```sh\n{command(e)}\n```",
    ]
    if modes:
        parts += ["Its modes:", "\n".join(["```text", *modes, "```"])]
    if log:
        parts += ["Its log:", "\n".join(["```text", *log, "```"])]
    if tour.failure is not None:
        parts.append(f"The run ends at {tour.result.time[-1]:.6g} s: {tour.failure.diagnostics[0].message}.")
    parts.append(f"<details><summary>The model</summary>\n\n```modelica\n{e.text}\n```\n\n</details>")
    return "\n\n".join(parts) + "\n"


def command(exhibit: Exhibit) -> str:
    """What shows all this in a terminal."""
    return f"saltus gallery {exhibit.short}"


def omitted(wing: Wing) -> str:
    """What of a paper is not shown."""
    if not wing.omitted:
        return ""
    return "\n".join(["## Not shown", "", *(f"- {item}" for item in wing.omitted), ""])


def heading(wing: Wing) -> str:
    """The title of a paper, what it is about, the way to the others, and a list of what is shown."""
    shown = "\n".join(f"- [{e.description}](#{slug(e.description)}): {e.place}" for e in wing.exhibits)
    return f"# {wing.description}\n\n{way(wing)}\n\n{ABOUT[key(wing)]}\n\n{shown}\n"


def key(wing: Wing) -> str:
    """The last word of its name."""
    return wing.name.rpartition(".")[2]


def title(wing: Wing) -> str:
    """Authors and year."""
    return wing.exhibits[0].paper


def way(wing: Wing) -> str:
    """To the papers before and after, and to all."""
    wings = gallery()
    place = [w.name for w in wings].index(wing.name)
    before, after = wings[:place][-1:], wings[place + 1 :][:1]
    links = [f"before: [{title(w)}]({w.page})" for w in before]
    links += [f"next: [{title(w)}]({w.page})" for w in after]
    return " · ".join([f"[All papers of the gallery]({INDEX.name})", *links])


def page(wing: Wing, sections: dict[str, str]) -> str:
    """The page about a paper from the parts about its exhibits, by name."""
    parts = [heading(wing), *(sections[e.name] for e in wing.exhibits), omitted(wing), f"{way(wing)}\n"]
    return "\n".join(part for part in parts if part)


def index() -> str:
    """The page that leads to those of the papers."""
    wings = gallery()
    exhibits = {e.short: (wing, e) for wing in wings for e in wing.exhibits}
    stops = [(*exhibits[short], lesson) for short, lesson in STOPS]
    return "\n".join(
        [
            HEAD,
            "## The papers",
            "",
            "| | paper | models |",
            "| --- | --- | --- |",
            *(_row(wing, exhibits[f"{key(wing)}.{FACES[key(wing)]}"][1]) for wing in wings),
            "",
            "## A short tour",
            "",
            "Ten stops, from one relation to a gearbox:",
            "",
            *(
                f"{number}. [{e.description}]({wing.page}#{slug(e.description)}): {lesson}. `{command(e)}`"
                for number, (wing, e, lesson) in enumerate(stops, 1)
            ),
            "",
        ]
    )


def _row(wing: Wing, face: Exhibit) -> str:
    place = f"../{picture(face).relative_to(PAGES.parent).as_posix()}"
    paper = f"[{title(wing)}]({wing.page}): {wing.description.partition(': ')[2]}. {ABOUT[key(wing)]}"
    return f"| [![{face.description}]({place})]({wing.page}) | {paper} | {len(wing.exhibits)} |"


def sections_of(wing: Wing) -> dict[str, str]:
    """The parts of its page about the exhibits that there are, by name."""
    text = page_of(wing).read_text(encoding="utf-8") if page_of(wing).exists() else ""
    found: dict[str, str] = {}
    for exhibit in wing.exhibits:
        begin = text.find(anchor(exhibit))
        if begin >= 0:
            end = text.index("</details>", begin) + len("</details>\n")
            found[exhibit.name] = text[begin:end]
    return found


def main(words: list[str]) -> int:
    """Writes the pages; 1 if a model could not be run."""
    wings = gallery()
    sections = {name: text for wing in wings for name, text in sections_of(wing).items()}
    PAGES.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    failed = False
    for exhibit in (e for wing in wings for e in wing.exhibits):
        if words and exhibit.name in sections and not any(word in exhibit.name for word in words):
            continue
        try:
            tour = Tour.of(exhibit)
            sections[exhibit.name] = section(tour)
            figure = tour.result.plot(*exhibit.plot, modes=exhibit.modes, title=exhibit.short)
            figure.savefig(picture(exhibit), dpi=DPI)
            print(exhibit.short, flush=True)
        except SaltusError as error:
            print(f"{exhibit.short}: {error}", file=sys.stderr)
            failed = True
    if not failed:
        INDEX.write_text(index(), encoding="utf-8")
        for wing in wings:
            page_of(wing).write_text(page(wing, sections), encoding="utf-8")
    for old in set(PAGES.glob("*.md")) - {INDEX, *map(page_of, wings)}:
        old.unlink()
    for old in set(PICTURES.glob("*.png")) - {picture(e) for wing in wings for e in wing.exhibits}:
        old.unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
