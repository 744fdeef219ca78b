"""The instance tree to the flat model: variables with their attributes, all equations, one level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from saltus.core.diagnostics import Diagnostic, ModelError, Reporter, model_error
from saltus.core.source import Span
from saltus.core.wording import listed
from saltus.expr.nodes import Expr, Op, Type, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, walk
from saltus.ir import ast
from saltus.ir.flat import (
    Causality,
    Clause,
    Equation,
    Experiment,
    FlatModel,
    Variability,
    Variable,
    clause_expressions,
)
from saltus.ir.instance import ClassEntry, Instance, Library, Scalar, instances, scalars
from saltus.lower.classes.classes import (
    MODEL_KINDS,
    class_named,
    own_class,
    own_class_names,
    split_name,
    top_class,
)
from saltus.lower.classes.lookup import STATE_SELECT, missing_library_hint, nearest
from saltus.lower.connections.connect_sections import take_in
from saltus.lower.connections.streams import without_events_of_products
from saltus.lower.expressions.clocked import check_clock_variable
from saltus.lower.expressions.expressions import lower_call, lower_expression
from saltus.lower.expressions.semilinear import defined_at_zero
from saltus.lower.expressions.state_machines import MACHINES
from saltus.lower.expressions.texts import without_texts
from saltus.lower.flat.balance import check_balance
from saltus.lower.flat.open_inputs import refuse_open_inputs
from saltus.lower.flat.parameter_cycles import without_cycles
from saltus.lower.instances.instantiate import instantiate
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.parts import Components, Evaluation
from saltus.lower.sections.algorithms import ENTRY, execute, with_entries
from saltus.lower.sections.equations import EquationLowering, constant_scalar

_EXPERIMENT = {
    "StartTime": "start_time",
    "StopTime": "stop_time",
    "Tolerance": "tolerance",
    "Interval": "interval",
}


def new_context(library: Library, overrides: Mapping[str, float | int | bool | str]) -> Context:
    """Ties expressions, instances and functions together for one lowering."""
    return Context(library, lower_expression, lower_call, Components(overrides))


def build_instances(context: Context, cls: ClassEntry) -> Instance:
    """The instance tree of the model to simulate."""
    if cls.kind not in MODEL_KINDS:
        what = f"`{cls.full_name}` is a {cls.kind}; a model or block is needed"
        raise model_error("E209", what, cls.span, hint=_instead_of_simulating(cls))
    if cls.definition.partial:
        raise model_error(
            "E209",
            f"`{cls.full_name}` is partial and cannot be simulated",
            cls.span,
            hint="choose a class that extends it",
        )
    try:
        root = instantiate(context, cls)
    except RecursionError:
        raise model_error(
            "E204", f"the classes or components of `{cls.full_name}` are nested too deeply", cls.span
        ) from None
    context.reporter.stop_if_errors()
    return root


def flatten(context: Context, root: Instance) -> FlatModel:
    """Everything the instance tree means, as scalar variables and clauses."""
    connections = take_in(context, root)
    clauses: list[Clause] = []
    initial: list[Clause] = []
    helpers: list[Variable] = []
    connected: list[Clause] = []
    assigned_in_when: set[str] = set()
    entries = False
    for instance in instances(root):
        lowering = EquationLowering(context, instance.path)
        for section, lexical in instance.layout.sections:
            scope = Scope(instance, lexical, impure=section.initial, at_start=section.initial)
            target = initial if section.initial else clauses
            if not section.algorithm:
                target += lowering.section(section, scope)
                continue
            try:
                execution = execute(context, section, scope, instance.path)
            except ModelError as error:
                context.absorb(error, instance)
                continue
            target += execution.clauses
            entries = entries or execution.asks_entries
            helpers += execution.variables
            assigned_in_when |= {s.name for s in execution.when_assigned}
    variables: list[Variable] = []
    bindings: list[Clause] = []
    inputs = _inputs(root)
    for scalar in scalars(root):
        try:
            variable, binding = _variable(
                context, scalar, scalar.path in assigned_in_when, _causality(scalar, inputs)
            )
        except ModelError as error:
            context.absorb(error, _owner(root, scalar))
            continue
        variables.append(variable)
        if binding is not None:
            bindings.append(binding)
    try:
        connected, more = connections.equations()
        helpers += more
        connections.refuse_absent((*bindings, *clauses, *initial))
    except ModelError as error:
        context.absorb(error, None)
    context.reporter.stop_if_errors()
    if entries and not _has_clocks((*bindings, *clauses, *connected)):
        clauses, initial = with_entries(clauses), with_entries(initial)
    refuse_open_inputs(root, inputs, (*variables, *helpers), (*bindings, *clauses, *connected))
    check_balance(root, (*bindings, *clauses, *connected))
    variables = without_cycles(context, variables)
    variables, clauses = without_texts(
        context,
        (*variables, *helpers),
        (*bindings, *clauses, *connected, *context.requirements.take_since(0)),
    )
    clauses = defined_at_zero(context.expressions, without_events_of_products(context.connections, clauses))
    cls = root.cls
    return FlatModel(
        cls.full_name,
        cls.span,
        tuple(variables),
        tuple(clauses),
        tuple(initial),
        _experiment(context, cls),
        cls.definition.description,
        context.functions.surroundings.carry_out,
        machines=tuple(MACHINES.of(context).values()),
    )


def _has_clocks(clauses: Iterable[Clause]) -> bool:
    seen: set[Expr] = set()  # values of a long algorithm share most of their parts
    return any(
        node.op is Op.CLOCKED and node.data != ENTRY
        for clause in clauses
        for e in clause_expressions(clause)
        for node in walk(e, seen)
    )


def _owner(root: Instance, scalar: Scalar) -> Instance | None:
    """The instance that a scalar is a component of."""
    owner = scalar.path.rpartition(".")[0]
    return next((i for i in instances(root) if i.path == owner), None)


def _inputs(root: Instance) -> set[Scalar]:
    """Inputs of the model itself, those of its connectors included."""
    found: set[Scalar] = set()
    for node in root.children.values():
        if node is None or any(not i.in_connector and i.kind != "record" for i in instances(node)):
            continue  # a model or block: its inputs are driven by this model
        found |= {s for s in scalars(node) if s.causality is Causality.INPUT and not s.protected}
    return found


def _causality(scalar: Scalar, inputs: set[Scalar]) -> Causality:
    """In the flat model only the model's own inputs are inputs."""
    inner = scalar.causality is Causality.INPUT and scalar not in inputs
    return Causality.LOCAL if inner else scalar.causality


def _variable(
    context: Context, scalar: Scalar, in_when: bool, causality: Causality
) -> tuple[Variable, Equation | None]:
    """The variable of a scalar, and the equation its binding means if it is not a parameter."""
    attribute = scalar.attribute
    binding = attribute("value")
    variability = scalar.variability
    if in_when:
        variability = min(variability, Variability.DISCRETE)
    equation: Equation | None = None
    if variability > Variability.PARAMETER:
        if binding is not None:
            _check_discrete(scalar, in_when)
            equation = Equation(ref(scalar.symbol), binding, scalar.span, scalar.path.rpartition(".")[0])
            binding = None
    elif binding is not None:
        _check_parameter(context.components, scalar, binding, "value")
    for name in ("start", "min", "max", "nominal"):
        value = attribute(name)
        if value is not None:
            _check_parameter(context.components, scalar, value, name)
    if scalar.symbol.type is Type.CLOCK:
        check_clock_variable(scalar)
    variable = Variable(
        scalar.symbol,
        variability,
        scalar.span,
        causality,
        binding,
        attribute("start"),
        _known(context.evaluation, scalar, "fixed"),
        attribute("nominal"),
        attribute("min"),
        attribute("max"),
        _known(context.evaluation, scalar, "unit") or "",
        _known(context.evaluation, scalar, "displayUnit") or "",
        _state_select(context.evaluation, scalar),
        scalar.enumeration,
        scalar.protected,
        scalar.final,
        # Objects are made of texts, which are not in the memory of a run: another one is another translation.
        scalar.structural or scalar.symbol.type is Type.STRING,
        scalar.description,
        scalar.log,
    )
    return variable, equation


def _check_discrete(scalar: Scalar, in_when: bool) -> None:
    """A Real that is declared `discrete` changes in when-clauses only, so it has no binding (section 4.5)."""
    declared = scalar.symbol.type is Type.REAL and scalar.variability is Variability.DISCRETE
    if declared and not in_when and not scalar.in_connector and scalar.causality is not Causality.INPUT:
        raise model_error(
            "E211",
            f"the discrete variable `{scalar.path}` gets its values in when-clauses, not by a binding",
            scalar.span,
            hint="remove `discrete`, or the binding",
        )


def _known(evaluation: Evaluation, scalar: Scalar, name: str) -> Any:
    value = scalar.attribute(name)
    return None if value is None else evaluation.constant(value, scalar.span, f"`{name}` of `{scalar.path}`")


def _state_select(evaluation: Evaluation, scalar: Scalar) -> str:
    number = _known(evaluation, scalar, "stateSelect")
    return STATE_SELECT[number - 1] if isinstance(number, int) else "default"


def _check_parameter(components: Components, scalar: Scalar, value: Expr, what: str) -> None:
    """Parameters and attributes depend on parameters only."""
    for node in walk(value):
        if node.op is Op.CLOCKED and node.type is not Type.CLOCK:
            raise model_error(
                "E211",
                f"`{show(node, 60)}` has values at the ticks of a clock, which `{scalar.path}` cannot have",
                scalar.span,
            )
    for leaf in leaves(value):
        other = components.scalars.get(leaf.data) if leaf.op is Op.REF else None
        constant = scalar.variability is Variability.CONSTANT and what == "value"
        if constant and other is not None and other.variability is Variability.PARAMETER:
            raise model_error(
                "E211",
                f"the constant `{scalar.path}` must not depend on the parameter `{other.path}`",
                scalar.span,
                hint=f"declare `{scalar.path}` as a parameter",
            )
        if other is None or other.variability > Variability.PARAMETER:
            kind = "constant" if scalar.variability is Variability.CONSTANT else "parameter"
            subject = f"the {kind} `{scalar.path}`" if what == "value" else f"`{what}` of `{scalar.path}`"
            raise model_error(
                "E211",
                f"{subject} must not depend on `{leaf!r}`, which varies during the run",
                scalar.span,
            )
        if scalar.variability is Variability.CONSTANT and other.variability is Variability.PARAMETER:
            raise model_error(
                "E211",
                f"the constant `{scalar.path}` must not depend on the parameter `{other.path}`",
                scalar.span,
                hint=f"declare `{scalar.path}` as a parameter",
            )


def _experiment(context: Context, cls: ClassEntry) -> Experiment:
    """The experiment annotation; what it does not say is as the specification says."""
    annotation = cls.definition.annotation
    if annotation is None:
        return Experiment()
    modification = context.library.reader.annotation(cls.source, annotation)
    values: dict[str, float] = {}
    for argument in modification.arguments or ():
        if not isinstance(argument, ast.ElementModification) or argument.name != ("experiment",):
            continue
        inner = argument.modification
        for entry in (inner.arguments or ()) if inner is not None else ():
            if not isinstance(entry, ast.ElementModification):
                continue
            if entry.name[0] not in _EXPERIMENT:
                _warn_of_attribute(context.reporter, entry, cls)
                continue
            if entry.modification is None or entry.modification.value is None:
                continue
            number = constant_scalar(context, entry.modification.value, Scope(None, cls))
            if isinstance(number, str):
                raise model_error("E205", f"`{entry.name[0]}` must be a number", cls.at(entry))
            values[_EXPERIMENT[entry.name[0]]] = float(number)
    start = values.get("start_time", 0.0)
    return Experiment(
        start,
        values.get("stop_time", start + 1.0),
        values.get("tolerance", 1e-6),
        values.get("interval") or None,
    )


def _warn_of_attribute(reporter: Reporter, entry: ast.ElementModification, cls: ClassEntry) -> None:
    """Warns of an unknown attribute, which has no effect. Names with `__` are those of other tools
    (section 18.1)."""
    name = entry.name[0]
    if not name.startswith("__"):
        message = f"unknown attribute `{name}` of experiment"
        near = nearest(name, _EXPERIMENT)
        hint = f"did you mean `{near}`?" if near else f"known are {', '.join(_EXPERIMENT)}"
        reporter.report(Diagnostic("W201", message, cls.at(entry), hint=hint))


def find_model(library: Library, name: str | None, span_of_file: Span | None) -> ClassEntry:
    """The class to simulate: by name, or the last model of the given file."""
    if name is not None:
        for own in library.own:
            if own.name == name:
                return own
        found = class_named(library, name)
        if found is None:
            raise _unknown_model(library, name)
        return found
    candidates = [c for c in library.own if c.kind in MODEL_KINDS and not c.definition.partial]
    if not candidates:
        inner = _models_inside(library.own)
        hint = f"choose one with --model, such as `{inner[-1].full_name}`" if inner else None
        raise model_error("E209", "there is no model to simulate in this file", span_of_file, hint=hint)
    return candidates[-1]


def _instead_of_simulating(cls: ClassEntry) -> str | None:
    """What to do with a class that is no model."""
    if cls.kind == "function":
        return f"call it in a model: `Real y = {cls.full_name}(...);`"
    inner = [c.full_name for c in _models_inside([cls])]
    return f"choose a model in it: {listed(inner)}" if inner else None


def last_package(library: Library) -> ClassEntry | None:
    """The last package of the given file, if it holds no model outside of its packages."""
    if any(c.kind in MODEL_KINDS and not c.definition.partial for c in library.own):
        return None
    packages = [c for c in library.own if c.kind == "package"]
    return packages[-1] if packages else None


def _models_inside(entries: list[ClassEntry]) -> list[ClassEntry]:
    found: list[ClassEntry] = []
    for entry in entries:
        for name in own_class_names(entry) if entry.kind == "package" else ():
            inner = own_class(entry, name)
            if inner is not None:
                if inner.kind in MODEL_KINDS and not inner.definition.partial:
                    found.append(inner)
                found += _models_inside([inner])
    return found


def _unknown_model(library: Library, name: str) -> ModelError:
    """Names what is missing: a part of a package that is there, or the package."""
    known = [c.full_name for c in library.own] + [c.full_name for c in _models_inside(library.own)]
    parts = split_name(name)
    entry = top_class(library, parts[0])
    for part in parts[1:]:
        inner = own_class(entry, part) if entry is not None else None
        if entry is not None and inner is None:
            known += [f"{entry.full_name}.{n}" for n in own_class_names(entry)]
        entry = inner
    near = nearest(name, known)
    models = [c.full_name for c in library.own if c.kind in MODEL_KINDS and not c.definition.partial]
    hint = f"did you mean `{near}`?" if near else missing_library_hint(parts[0])
    if near is None and models and len(parts) == 1:
        hint = f"the text has the model{'s' if len(models) > 1 else ''} {listed(models)}"
    return model_error("E201", f"the model `{name}` cannot be found", hint=hint)
