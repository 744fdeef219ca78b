"""The rewrites of the analysis by name: what each does, and the model after it.

Between the hybrid DAE and its sorted blocks a model is rewritten several times. Each rewrite is a pass with a
name, in the order of `PASSES`; the analysis records the resulting model. A pass without effect leaves no
record. `saltus check MODEL --dump-after PASS` prints the model after a pass, and `--list-passes` lists the
passes.
"""

from __future__ import annotations

from dataclasses import dataclass

from saltus.ir.hybrid import HybridModel

#: In the order in which they are applied, each with what it does.
PASSES: dict[str, str] = {
    "alias": "variables that are equal, or equal but for a sign, become one; constant equations are solved",
    "factors": "factors that change at events only are expanded where they multiply an unknown",
    "integrated": "inline integration: a formula determines each former state (--method inline:...)",
    "mode": "guards of the mode in which the model starts are fixed, which selects branches",
    "presence": "equations and variables that do not exist in that mode are removed",
    "hidden": "redundant equations are replaced by the hidden constraint in their combination",
    "open": "undetermined quantities are held, or take values of least change",
    "reduced": "index reduction: constraints between states are differentiated, and dummy derivatives chosen",
    "coordinates": "states that the user prefers take the place of those that the equations suggest",
    "inlined": "homotopy ends, and functions whose derivatives are needed are inlined",
}


@dataclass(frozen=True, eq=False)
class Rewritten:
    """A model as a pass has left it."""

    name: str
    model: HybridModel


class Rewrites:
    """What the passes have made of a model, in order. A pass that is taken again, because the analysis has
    begun anew with another equation, counts once: the last time."""

    def __init__(self, before: HybridModel, notes: tuple[Rewritten, ...] = ()) -> None:
        self._before = before
        self._notes = {note.name: note for note in notes}

    def note(self, name: str, model: HybridModel) -> None:
        """The model after a pass; nothing is noted where it is the one before it."""
        assert name in PASSES, name
        order = list(PASSES)
        earlier = [n.model for n in self.all if order.index(n.name) < order.index(name)]
        if model is (earlier[-1] if earlier else self._before):
            self._notes.pop(name, None)
            return
        self._notes[name] = Rewritten(name, model)

    def forget(self) -> None:
        """Lets go of the models."""
        self._notes.clear()

    @property
    def all(self) -> tuple[Rewritten, ...]:
        """The models as passes have left them, in the order of the passes."""
        return tuple(self._notes[name] for name in PASSES if name in self._notes)
