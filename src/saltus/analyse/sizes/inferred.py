"""A parameter for the size of each variable and each residue without a nominal value.

Its value is found when a run begins (`saltus.run.sizes`); until then it is 1. From here on it serves as the
nominal value of the variable, so that it scales everything that nominal values scale: absolute tolerances,
zero bands, loops, what counts as a jump.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from saltus.analyse.sizes.terms import Terms
from saltus.expr.helpers import Helper, derivative_name
from saltus.expr.nodes import ONE, Expr, Op, Symbol, Type, der, leaf_symbol, pre, ref
from saltus.expr.traversal import leaves, walk
from saltus.ir.balance import Balance, Choices, Sum, Term
from saltus.ir.flat import Variability, Variable
from saltus.ir.hybrid import HybridModel, Relation


def with_sizes(model: HybridModel) -> HybridModel:
    """The model in which every continuous variable and every relation has a nominal value."""
    if not (model.states or model.algebraics or model.relations):
        return model
    continuous = (*model.states, *model.algebraics)
    made: list[Variable] = []
    sizes: dict[Expr, Symbol] = {}

    def size_of(name: str, v: Variable | Relation) -> Symbol:
        symbol = Symbol(name, helper=Helper.SIZE)
        made.append(Variable(symbol, Variability.PARAMETER, v.span, start=ONE))
        return symbol

    for v in continuous:
        if v.nominal is None:
            sizes[ref(v.symbol)] = size_of(Helper.SIZE.belonging_to(v.name), v)
    for v in model.states:
        name = derivative_name(v.name)
        sizes[der(ref(v.symbol))] = size_of(Helper.SIZE.belonging_to(name), v)
    relations, of_relations = list(model.relations), {}
    for k, r in enumerate(relations):
        if r.nominal is None and not r.is_time_event:
            of_relations[k] = size_of(Helper.SIZE.numbered(k + 1), r)
            relations[k] = replace(r, nominal=ref(of_relations[k]))
    deciding = {guard: (k, truth) for guard, (k, truth) in _deciding(model).items() if k in of_relations}
    by_truth = {
        k: (
            size_of(Helper.SIZE.numbered(k + 1, "false"), relations[k]),
            size_of(Helper.SIZE.numbered(k + 1, "true"), relations[k]),
        )
        for k in dict.fromkeys(k for k, _ in deciding.values())
    }

    def sized(v: Variable) -> Variable:
        size = sizes.get(ref(v.symbol))
        return v if size is None else replace(v, nominal=ref(size))

    if not made:
        return model
    return replace(
        model,
        parameters=(*model.parameters, *made),
        states=tuple(map(sized, model.states)),
        algebraics=tuple(map(sized, model.algebraics)),
        relations=tuple(relations),
        balance=replace(_balance(model, sizes, of_relations), deciding=deciding, by_truth=by_truth),
    )


def _balance(model: HybridModel, sizes: dict[Expr, Symbol], relations: dict[int, Symbol]) -> Balance:
    found: dict[Expr, int] = {}
    reals = [v for v in model.discretes if v.symbol.type is Type.REAL]
    for v in (*model.states, *model.algebraics, *reals):
        found[ref(v.symbol)] = len(found)
    numbers = dict(found)
    for v in (*model.states, *model.algebraics, *reals):
        numbers[pre(ref(v.symbol))] = found[ref(v.symbol)]
    rates = {}
    for v in model.states:
        rate = der(ref(v.symbol))
        numbers[rate] = len(found)
        found[rate] = len(found)
        rates[found[ref(v.symbol)]] = found[rate]
    known = {v.symbol for v in (*model.constants, *model.parameters) if v.symbol.type is not Type.STRING}
    terms = Terms(numbers, known)
    sums = []
    for q in model.equations:
        if q.lhs.type in (Type.REAL, Type.INTEGER) and _is_about(q.leaves, numbers):
            own = terms.of(q.residual)
            if own:
                sums.append(Sum(own, q.residual, q.span))
    sums += _differentiated(sums, rates)
    variants = _variants(sums, len(found), {*rates, *rates.values()}, numbers)
    sums = [_in_variants(q, variants) for q in sums]
    of_numbers = list(found)
    of_numbers += [of_numbers[k] for k, own in variants.items() for _ in own]
    jumps: dict[int, tuple[Expr, ...]] = {}
    for j in model.jumps:
        k = found[ref(j.state)]
        if not any(leaf_symbol(leaf) is j.state for leaf in leaves(j.value)):
            jumps[k] = (*jumps.get(k, ()), j.value)
    return Balance(
        tuple(of_numbers),
        tuple(sums),
        rates,
        jumps,
        {found[leaf]: size for leaf, size in sizes.items()},
        relations,
        {},
        {},
        variants,
    )


def _differentiated(sums: Sequence[Sum], rates: Mapping[int, int]) -> list[Sum]:
    """What holds of the derivatives of states because it holds of states and constants: `x = y - z` says of
    `der(x)` what it says of x. Relative speeds, where positions are tied, are known by nothing else."""
    constant = {k for q in sums if (k := _given_by_parameters(q, rates)) is not None}
    found = []
    for q in sums:
        moving = [t for t in q.terms if t.rest or any(k not in constant for k, _ in t.powers)]
        if len(moving) > 1 and all(_is_linear(t) and t.powers[0][0] in rates for t in moving):
            terms = (replace(t, powers=((rates[t.powers[0][0]], 1.0),)) for t in moving)
            found.append(replace(q, terms=tuple(terms)))
    return found


def _given_by_parameters(q: Sum, rates: Mapping[int, int]) -> int | None:
    """The variable that an equation gives a value made of parameters, if it does."""
    used = [t for t in q.terms if t.powers or t.rest]
    if len(used) == 1 and _is_linear(used[0]) and not any(t.choices for t in q.terms):
        k = used[0].powers[0][0]
        return None if k in rates else k
    return None


def _is_linear(t: Term) -> bool:
    """Whether a term is a multiple of one variable."""
    return not t.rest and len(t.powers) == 1 and t.powers[0][1] == 1.0


def _variants(
    sums: Sequence[Sum], count: int, kept: Set[int], numbers: Mapping[Expr, int]
) -> dict[int, tuple[tuple[int, Choices], ...]]:
    """The variables that stand in branches only, with a number for each of these; `count` are in use."""
    places: dict[int, dict[Choices, None]] = {}
    plain = set(kept)
    for q in sums:
        for t in q.terms:
            for k, _ in t.powers:
                places.setdefault(k, {})[t.choices] = None
                if not t.choices:
                    plain.add(k)
            plain |= {numbers[leaf] for e, _ in t.rest for leaf in leaves(e) if leaf in numbers}
    made = {}
    for k, choices in sorted(places.items()):
        if k not in plain and len(choices) > 1:
            made[k] = tuple((count + i, c) for i, c in enumerate(choices))
            count += len(choices)
    return made


def _in_variants(q: Sum, variants: Mapping[int, tuple[tuple[int, Choices], ...]]) -> Sum:
    of = {k: {choices: number for number, choices in own} for k, own in variants.items()}
    if not any(k in of for t in q.terms for k, _ in t.powers):
        return q
    terms = (
        replace(t, powers=tuple((of[k][t.choices] if k in of else k, p) for k, p in t.powers))
        for t in q.terms
    )
    return replace(q, terms=tuple(terms))


def _deciding(model: HybridModel) -> dict[Expr, tuple[int, bool]]:
    """What says the truth of a relation between branches of continuous equations, by which residues may be
    of one kind or another: a voltage while a diode blocks, a current while it conducts."""
    known = {ref(r.symbol): (k, True) for k, r in enumerate(model.relations) if not r.is_time_event}
    named: dict[Expr, tuple[int, bool]] = {}
    for q in model.equations:
        if q.lhs.type is Type.BOOLEAN:
            for variable, value in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
                truth = True
                while value.op is Op.NOT:
                    value, truth = value.args[0], not truth
                if variable.op is Op.REF and value in known:
                    named[variable] = known[value][0], truth
    seen: set[Expr] = set()
    used = {
        node.args[0]
        for q in model.equations
        if q.lhs.type is Type.REAL
        for side in (q.lhs, q.rhs)
        for node in walk(side, seen)
        if node.op is Op.IF
    }
    guards = {guard.args[0] if guard.op is Op.NOT else guard for guard in used}
    return {guard: found for guard, found in {**known, **named}.items() if guard in guards}


def _is_about(given: tuple[Expr, ...], numbers: dict[Expr, int]) -> bool:
    return any(leaf in numbers and leaf.op is not Op.PRE for leaf in given)
