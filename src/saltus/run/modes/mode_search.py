"""The search for a mode, where the iteration of `modes` cycles or comes to a dead end.

What is searched are truths of the relations that guards depend on. A *trial* takes truths for granted, enters
the mode they belong to and looks which relations agree with its values; relations that no guard depends on
just follow. If these keep changing, those that depend on each other (`coupling`) are searched, too. As in
`search`, which does the same within one program:

pivoting     of the relations that disagree only the first is turned, and again (Murty's principal pivoting):
             the first in every part of the model that has nothing to do with the others, so that a search
             among a hundred converters is as long as the longest of theirs; if that fails, the first of all;
             where more than `ENUMERATED` are searched, also those that decide about a contradiction
axes         relations that compare one quantity with several thresholds, as a friction its force with two,
             are turned together: an axis that disagrees goes to the place that its value has; also from rest;
             in the end, where equations contradict each other, to a place where it has not been
enumeration  of up to `ENUMERATED` relations all choices are tried, the nearest to the presumed ones first; of
             more, those with a few turned; where that is a mode whose values say otherwise of others, these
             follow. Every trial may need a new program, so there must not be many. Where the model has parts,
             it is first done in all of them at the same time.

The verdict is one mode; none, with what is wrong with each choice; or several, with a warning, the nearest
is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, Note, RunError
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block, Leading
from saltus.ir.sorted.modes import Mode
from saltus.run.engine.engine import Engine
from saltus.run.failures import phrases
from saltus.run.failures.coupling import groups
from saltus.run.memory.dependence import parts_of_relations
from saltus.run.modes.entering import Impossible, Instant
from saltus.run.modes.singular import blamed_relations, relations_apart

#: The largest number of relations of which all choices are tried, at an event and at the start.
ENUMERATED = 6

#: The largest number for which all solutions are searched for; with more, the first is taken.
COMPARED = 3

#: Trials of one search, and passes of one trial in which other relations follow.
MOST_TRIALS = 100
MOST_PASSES = 20

_Truths = NDArray[np.float64]


class Trial(NamedTuple):
    """The engine of a mode that was taken for granted, None where it cannot be, and then why; and the
    relations, of those that are searched, that do not agree. `restless` are others, which keep changing;
    `blamed` are those of the searched ones that decide about equations which contradict each other, for each
    part of the model in which there are such equations; `apart` those that demand of positions what is
    not so, which have to be turned in any case; `contradicting` decide about equations that the program of a
    mode finds to contradict each other."""

    engine: Engine | None
    wrong: tuple[int, ...]
    why: Diagnostic | None = None
    restless: tuple[int, ...] = ()
    blamed: tuple[tuple[int, ...], ...] = ()
    apart: tuple[int, ...] = ()
    contradicting: tuple[int, ...] = ()


#: A trial with some relations turned.
_Try: TypeAlias = Callable[[Sequence[int]], Trial]


class Searched(Protocol):
    """What is asked of the modes of a run, which are `saltus.run.modes.modes.Modes`."""

    @property
    def written(self) -> Sequence[Equation]: ...

    def deciding(self, engine: Engine, /) -> list[int]: ...

    def tried(self, instant: Instant, engine: Engine, /) -> Engine: ...

    def learn(self, engine: Engine, block: Block, numbers: NDArray[np.float64] | None, /) -> bool: ...

    def mode_of(self, engine: Engine, /) -> Mode: ...


class ModeSearch:
    """The search of one run."""

    def __init__(self, modes: Searched) -> None:
        self._modes = modes
        #: Whether guards are fixed with which a system by numbers has no solution in a trial; if not, whether
        #: there were such.
        self.learns, self.has_postponed = True, False

    def __call__(self, instant: Instant, engine: Engine, problem: Impossible | None) -> Engine:
        """The engine of a consistent mode, with the values after the instant. Raises `RunError`."""
        # What follows from time alone is an input of the instant: there is nothing to be searched for.
        given = engine.structure.given
        searched = [k for k in self._modes.deciding(engine) if k not in given]
        instant.copy_to(engine, engine, searched)
        presumed = engine.mode.truths.copy()
        while True:
            tried: dict[bytes, Trial] = {}
            solutions = self._solutions(instant, engine, presumed, searched, tried)
            if solutions:
                break
            more = sorted({*searched, *_coupled(engine, [k for t in tried.values() for k in t.restless])})
            if more == list(searched):
                raise self._none(engine, searched, presumed, tried, problem)
            searched = more
        best = min(solutions.values(), key=len)
        chosen = self.trial(instant, engine, _turned(presumed, best), searched)
        if chosen.engine is None:  # what was learnt since has made another mode of it
            raise self._none(engine, searched, presumed, tried, problem)
        if len(solutions) > 1:
            tell_several(chosen.engine, presumed, sorted(solutions.values(), key=len))
        return chosen.engine

    def _solutions(
        self,
        instant: Instant,
        engine: Engine,
        presumed: _Truths,
        searched: Sequence[int],
        tried: dict[bytes, Trial],
    ) -> dict[bytes, tuple[int, ...]]:
        """The relations to be turned for a consistent mode, by its truths; what was `tried` is put there."""

        def trial(turned: Sequence[int]) -> Trial:
            wanted = presumed.copy()
            for k in turned:
                wanted[k] = 1.0 - wanted[k]
            key = wanted.tobytes()
            if key not in tried:
                tried[key] = self.trial(instant, engine, wanted, searched)
            return tried[key]

        solutions: dict[bytes, tuple[int, ...]] = {}
        parts = parts_of_relations(engine.structure)
        pivoted = self._pivoted(trial, searched, [parts[k] for k in range(len(presumed))])
        if pivoted is None:
            pivoted = self._pivoted(trial, searched, [0] * len(presumed))
        if pivoted is None:
            pivoted = self._along_axes(trial, engine, presumed, searched)
        if pivoted is None:
            pivoted = self._part_by_part(trial, searched, parts)
        many = len(searched) > ENUMERATED
        if pivoted is None and many:  # of many diodes all but one may have to be turned
            pivoted = self._pivoted(trial, searched, [0] * len(presumed), by_contradiction=True)
        if pivoted is not None:
            solutions[_key(presumed, pivoted)] = pivoted
        for turned in _choices(searched):
            if (solutions and len(searched) > COMPARED) or len(tried) > MOST_TRIALS:
                break
            found = trial(turned)
            if found.engine is not None and found.wrong and many:
                turned = self._corrected(trial, turned, tried)
                found = trial(turned)
            if found.engine is not None and not found.wrong:
                solutions[_key(presumed, turned)] = turned
        if not solutions and not many:  # of four frictions on belts all may have to be turned
            pivoted = self._pivoted(trial, searched, [0] * len(presumed), by_contradiction=True)
            if pivoted is not None:
                solutions[_key(presumed, pivoted)] = pivoted
        if not solutions and many:
            pivoted = self._through_places(trial, engine, presumed, searched)
            if pivoted is not None:
                solutions[_key(presumed, pivoted)] = pivoted
        return solutions

    @staticmethod
    def _along_axes(
        trial: _Try, engine: Engine, presumed: _Truths, searched: Sequence[int]
    ) -> tuple[int, ...] | None:
        """The relations to be turned, found axis by axis: those that compare one quantity with several
        thresholds are places along one axis, and belong together. The first axis that disagrees goes to the
        place that its value has, and again; at first from what is presumed, then from rest, where none of
        these relations is true. Joints with friction rest unless they are pushed too hard, and where one of
        them comes to rest the others need not do so as well: with the sliding of the one that has come to
        rest, or with relations of one axis that contradict each other, values mean nothing."""
        axes = _axes(engine, searched)
        if len(set(axes.values())) == len(axes):
            return None
        shared = [k for k, axis in axes.items() if list(axes.values()).count(axis) > 1]
        rest = frozenset(k for k in shared if presumed[k])
        for begun in dict.fromkeys((frozenset[int](), rest)):
            turned, seen = set(begun), set[frozenset[int]]()
            while frozenset(turned) not in seen and len(seen) <= 2 * len(searched) + 2:
                seen.add(frozenset(turned))
                found = trial(tuple(sorted(turned)))
                if found.engine is None:
                    break
                if not found.wrong:
                    return tuple(sorted(turned))
                first = axes[found.wrong[0]]
                turned ^= {k for k in found.wrong if axes[k] == first}
        return None

    @staticmethod
    def _through_places(
        trial: _Try, engine: Engine, presumed: _Truths, searched: Sequence[int]
    ) -> tuple[int, ...] | None:
        """The same, but where equations contradict each other, an axis that decides about them goes to where
        it has not been. A friction rests between sliding forward and backward, so values lead it from the one
        no further than to rest; but on a body between belts of other speeds no two can rest."""
        axes = _axes(engine, searched)
        own = {axis: [k for k in searched if axes[k] == axis] for axis in axes.values()}
        been = {axis: {frozenset(k for k in places if presumed[k])} for axis, places in own.items()}
        truths = presumed.copy()
        for _ in range(4 * len(searched)):
            turned = tuple(k for k in searched if truths[k] != presumed[k])
            found = trial(turned)
            if found.engine is not None and not found.wrong:
                return turned
            if found.engine is not None:
                changed = [k for k in found.wrong if axes[k] == axes[found.wrong[0]]]
                truths[changed] = 1.0 - truths[changed]
                continue
            # An axis of one relation has no places between which it could be led to and fro: it was pivoted,
            # and every trial may need a program.
            blamed = (axes.get(k) for k in (*sum(found.blamed, ()), *found.contradicting))
            deciding = dict.fromkeys(axis for axis in blamed if axis is not None and len(own[axis]) > 1)
            places = ((axis, place) for axis in deciding for place in [(), *((k,) for k in own[axis])])
            new = next(((axis, place) for axis, place in places if frozenset(place) not in been[axis]), None)
            if new is None:
                return None
            axis, place = new
            been[axis].add(frozenset(place))
            truths[own[axis]] = 0.0
            truths[list(place)] = 1.0
        return None

    @staticmethod
    def _part_by_part(trial: _Try, searched: Sequence[int], parts: Sequence[int]) -> tuple[int, ...] | None:
        """The relations to be turned, where the model has parts that have nothing to do with each other: in
        all of them at the same time those choices are gone through that `_choices` has, and each stays where
        nothing in it disagrees. None where there is but one part, or some part has no such choice."""
        of_part: dict[int, list[int]] = {}
        for k in searched:
            of_part.setdefault(parts[k], []).append(k)
        if len(of_part) < 2:
            return None
        choices = {part: _choices(own) for part, own in of_part.items()}
        now = {part: next(own) for part, own in choices.items()}
        for _ in range(MOST_TRIALS * len(of_part)):
            turned = tuple(sorted(k for own in now.values() for k in own))
            found = trial(turned)
            if found.engine is not None and not found.wrong:
                return turned
            # Where there is no mode, nothing is known of parts that are not to blame for it.
            against = found.wrong if found.engine is not None else {*found.apart, *sum(found.blamed, ())}
            astray = {parts[k] for k in against}
            for part in astray:
                after = next(choices[part], None)
                if after is None:
                    return None
                now[part] = after
            if not astray:
                break
        return None

    @staticmethod
    def _corrected(trial: _Try, begun: tuple[int, ...], tried: Mapping[bytes, Trial]) -> tuple[int, ...]:
        """Relations to invert, from a possible mode whose values contradict some relations: all of these are
        inverted, repeatedly, as long as there is a mode. Where many decide together, only those that make a
        mode possible have to be enumerated: of four frictions on one shaft, those of belts that move. The
        others follow."""
        turned, seen = set(begun), set[frozenset[int]]()
        while frozenset(turned) not in seen and len(tried) <= MOST_TRIALS:
            seen.add(frozenset(turned))
            found = trial(tuple(sorted(turned)))
            if found.engine is None:
                return begun
            if not found.wrong:
                return tuple(sorted(turned))
            turned ^= {*found.wrong}
        return begun

    # ------------------------------------------------------------ trials

    def trial(self, instant: Instant, engine: Engine, wanted: _Truths, searched: Sequence[int]) -> Trial:
        """Takes truths for granted, enters the mode they belong to and looks which of the searched relations
        agree with its values."""
        presumed, first = wanted, engine
        instant.copy_to(engine, engine, searched)
        engine.mode.truths[:] = wanted
        engine.memory.routines["evaluate"]()  # for the discrete variables among the guards
        wanted = _with_inputs(engine, searched)
        try:
            for _ in range(MOST_PASSES):
                engine = self._modes.tried(instant, engine)
                computed = engine.mode.truths.copy()
                for k in instant.astray(engine, searched):
                    computed[k] = 1.0 - computed[k]
                wrong = tuple(k for k in searched if computed[k] != wanted[k])
                # What follows from time alone is an input of the instant: with an old truth of it, nothing
                # that was computed counts.
                is_stale = any(computed[k] != wanted[k] for k in _timed(engine))
                if not is_stale and (wrong or np.array_equal(computed, wanted)):
                    break
                restless = tuple(np.flatnonzero(computed != wanted).tolist())
                computed[list(searched)] = wanted[list(searched)]
                engine.mode.truths[:] = wanted = computed
                engine.memory.routines["evaluate"]()  # the entry comes before discrete variables
            else:
                return Trial(None, (), self._endless(engine, restless), restless)
        except Impossible as problem:
            block, failed = problem.block, problem.engine or engine
            if isinstance(block, Leading) and not self.learns:
                self.has_postponed = True
            elif block is not None and self._modes.learn(failed, block, problem.numbers):
                return self.trial(instant, first, presumed, searched)
            blamed = blamed_relations(failed, block, problem.numbers) if block is not None else []
            told = relations_apart(first, self._modes.written, problem.contradicting)
            of_parts = (tuple(k for k in own if k in searched) for own in blamed)
            demanded = relations_apart(first, self._modes.written, problem.apart) if problem.apart else ()
            apart = tuple(k for k in demanded if k in searched)
            return Trial(
                None,
                (),
                problem.why,
                blamed=tuple(own for own in of_parts if own),
                apart=apart,
                contradicting=tuple(k for k in told if k in searched),
            )
        if not wrong and self._modes.mode_of(engine) != engine.structure.mode:
            wrong = tuple(searched)
        return Trial(engine, wrong)

    @staticmethod
    def _endless(engine: Engine, restless: Sequence[int]) -> Diagnostic:
        relations = engine.structure.relations
        names = phrases.names([relations[k].text for k in restless])
        at = phrases.at_time(engine.memory)
        first = relations[restless[0]]
        message = f"the truth of {names} contradicts itself {at}"
        return Diagnostic("E404", message, first.span, origin=first.origin)

    @staticmethod
    def _pivoted(
        trial: _Try, searched: Sequence[int], parts: Sequence[int], *, by_contradiction: bool = False
    ) -> tuple[int, ...] | None:
        """The relations to invert, found by inverting one after the other, at the same time in all parts that
        relations belong to. `by_contradiction`: also where only the program of a mode shows which equations
        contradict each other."""
        turned: set[int] = set()
        seen: set[frozenset[int]] = set()
        forced: set[int] = set()  # turned since equations contradicted each other
        while frozenset(turned) not in seen and len(seen) < 2 * len(searched) + 2:
            seen.add(frozenset(turned))
            found = trial(tuple(sorted(turned)))
            if not turned.issuperset(found.apart):
                turned.update(found.apart)
                continue
            blamed = found.blamed
            if by_contradiction and not blamed and found.contradicting:
                blamed = (found.contradicting,)
            if found.engine is None and not blamed:
                return None
            if found.engine is not None and not found.wrong:
                return tuple(sorted(turned))
            firsts: dict[int, int] = {}
            # What a contradiction has turned comes last: turned back alone, it would lead there again.
            wrong = sorted(found.wrong, key=lambda k: k in forced)
            for own in blamed if found.engine is None else [(k,) for k in wrong]:
                # Of two elements that cannot both conduct, one that has not been tried.
                first = next((k for k in own if k not in turned), own[0])
                firsts.setdefault(parts[first], first)
            if found.engine is None and by_contradiction:
                forced.update(firsts.values())
            turned ^= set(firsts.values())
        return None

    # ------------------------------------------------------------ verdicts

    def _none(
        self,
        engine: Engine,
        searched: Sequence[int],
        presumed: _Truths,
        tried: dict[bytes, Trial],
        problem: Impossible | None,
    ) -> RunError:
        """What is wrong with each choice."""
        refused = problem is not None and problem.why.code.startswith("E3")  # and no other mode will do
        if problem is not None and (refused or not any(t.engine is not None for t in tried.values())):
            return RunError(problem.why)
        relations = engine.structure.relations
        texts = {k: relations[k].text for k in searched}
        notes: list[Note] = []
        for key, found in list(tried.items())[: phrases.SHOWN]:
            taken = np.frombuffer(key)
            said = ", ".join(f"`{t}` {_word(taken[k])}" for k, t in list(texts.items())[:3])
            choice = f"with {said}: " if said else ""
            if found.why is not None:
                notes.append(Note(f"{choice}{found.why.message}", found.why.span))
            else:
                names = phrases.names([texts[k] for k in found.wrong])
                notes.append(Note(f"{choice}the values say otherwise of {names}"))
        # Where only discrete variables lead from one mode to the next, there is nothing to be chosen.
        each = f"each choice of {phrases.names(list(texts.values()))} contradicts itself"
        why = each if texts else "what one leads to contradicts it"
        return RunError(
            Diagnostic(
                "E404",
                f"no mode is consistent {phrases.at_time(engine.memory)}: {why}",
                relations[searched[0]].span if searched else engine.structure.model.span,
                tuple(notes),
                origin=relations[searched[0]].origin if searched else "",
            )
        )


def tell_several(engine: Engine, presumed: _Truths, solutions: Sequence[tuple[int, ...]]) -> None:
    """Warns of several solutions, each with the relations that are turned in it; the first is used."""
    relations = engine.structure.relations
    differing = sorted(set().union(*solutions) - set(solutions[0]).intersection(*solutions))
    said = []
    for turned in solutions:
        truths = _turned(presumed, turned)
        said.append(", ".join(f"`{relations[k].text}` {_word(truths[k])}" for k in differing))
    notes = [Note(f"used: {said[0]}"), *(Note(f"also possible: {text}") for text in said[1:])]
    names = phrases.names([relations[k].text for k in differing])
    engine.memory.notices.tell_once(
        Diagnostic(
            "W404",
            f"{len(solutions)} choices of {names} are consistent {phrases.at_time(engine.memory)}; the "
            f"one nearest to the previous values is used",
            relations[differing[0]].span,
            tuple(notes[: phrases.SHOWN]),
            phrases.choice_advice(
                engine.memory, [(relations[k].span, relations[k].origin) for k in differing]
            ),
            origin=relations[differing[0]].origin,
        ),
        tuple(differing),
    )


def _axes(engine: Engine, searched: Sequence[int]) -> dict[int, int]:
    """For each relation a number that those share which compare the same quantity."""
    known = {
        k: axis
        for g in groups(engine.structure, initial=False)
        for k, axis in zip(g.members, g.axes, strict=True)
    }
    return {k: known.get(k, k) for k in searched}


def _coupled(engine: Engine, restless: Sequence[int]) -> set[int]:
    """Relations that do not come to rest, and those that they depend on and that depend on them."""
    relations = len(engine.structure.relations)
    together = (g.members for g in groups(engine.structure, initial=False) if {*g.members} & {*restless})
    return {k for members in together for k in members if k < relations}


def _turned(truths: _Truths, turned: Sequence[int]) -> _Truths:
    found = truths.copy()
    found[list(turned)] = 1.0 - found[list(turned)]
    return found


def _timed(engine: Engine) -> list[int]:
    """The relations of time alone."""
    return [k for k, r in enumerate(engine.structure.relations) if r.is_time_event]


def _with_inputs(engine: Engine, searched: Sequence[int]) -> _Truths:
    """The truths that an engine has, with those of time alone as discrete variables have them now: a timer
    that begins at this very instant has not run out, though its last time is long gone. Discrete variables
    follow."""
    memory, truths, timed = engine.memory, engine.mode.truths, list(set(_timed(engine)) - {*searched})
    for _ in range(MOST_PASSES if timed else 0):
        before = memory.array.copy()
        memory.routines["relations"]()
        memory.routines["settle_update"]()
        now = truths[timed]
        memory.array[:] = before
        if np.array_equal(now, truths[timed]):
            break
        truths[timed] = now
        memory.routines["evaluate"]()
    return truths.copy()


def _key(presumed: _Truths, turned: Sequence[int]) -> bytes:
    return _turned(presumed, turned).tobytes()


def _word(truth: float) -> str:
    return "true" if truth else "false"


def _choices(searched: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Relations to be turned, few first."""
    most = len(searched) if len(searched) <= ENUMERATED else 2
    for count in range(most + 1):
        yield from combinations(searched, count)
