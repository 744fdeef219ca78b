"""Warnings of computations for the result, each reported once."""

from __future__ import annotations

from collections.abc import Hashable

from saltus.core.diagnostics import Diagnostic


class Notices:
    """The warnings of one program, in the order in which they were reported."""

    def __init__(self) -> None:
        self.warnings: list[Diagnostic] = []
        #: What each of them is about.
        self.about: list[Hashable] = []

    def tell_once(self, warning: Diagnostic, about: Hashable) -> None:
        """Keeps a warning, unless there is one about the same thing."""
        if about not in self.about:
            self.about.append(about)
            self.warnings.append(warning)
