"""Equations that hold at instants only: those in a `when`, and those with `new(x)` or `init(x)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from saltus.core.diagnostics import model_error
from saltus.core.nearest import did_you_mean
from saltus.ir import ast
from saltus.ir.dymola import BOOLEAN, CONSTANT, PARAMETER, Equation, Interface, Model, When
from saltus.read.dymola.prior import Rewriting, rebuilt
from saltus.read.dymola.scope import Text, calls, equations
from saltus.read.dymola.solving import occurrences, solved


class AtInstants:
    """The equations of one model. `states` are its variables with a derivative."""

    def __init__(
        self, text: Text, model: Model, own: Interface, rewriting: Rewriting, states: frozenset[str]
    ) -> None:
        self.text = text
        self.own = own
        self.model = model
        self.rewriting = rewriting
        self.states = states | set(rewriting.twice.values())
        self.defined = frozenset(self._defined())
        self.on_left = frozenset(self._renewed(e.left) for e in equations(model)) - {None}

    # ------------------------------------------------------------ outside of whens

    def is_initial(self, equation: Equation) -> bool:
        """Whether it says where a variable starts: `init(x) = value`."""
        return any(True for _ in calls((equation.left, equation.right), "init"))

    def equation(self, equation: Equation) -> ast.SimpleEquation:
        """An equation outside of whens."""
        left, right = equation.left, equation.right
        if self.is_initial(equation):
            return self._initial(equation)
        target = self._target(equation)
        if target is not None:
            name, wanted = target
            seen = self.own.variables.get(name)
            if name in self.states or seen is None or seen.type != BOOLEAN:
                what = "the state" if name in self.states else "the number"
                hint = f"write `when CONDITION then new({name}) = ... endwhen`"
                message = f"{what} `{name}` gets a new value, and nothing says when"
                raise model_error("E209", message, self.text.at(equation), hint=hint)
            value = self._solved(equation, wanted, f"new({name})")
            own = _reference(equation, name)
            return ast.SimpleEquation(
                equation.start, equation.end, own, self.rewriting.expression(value), equation.note
            )
        one, other = self.rewriting.expression((left, right))
        return ast.SimpleEquation(equation.start, equation.end, one, other, equation.note)

    def _initial(self, equation: Equation) -> ast.SimpleEquation:
        call, value = equation.left, equation.right
        if not (isinstance(call, ast.Call) and call.function.text == "init"):
            call, value = value, call
        inside = call.args[0] if isinstance(call, ast.Call) and len(call.args) == 1 else None
        if not isinstance(inside, ast.Reference | ast.Call) or any(True for _ in calls(value, "init")):
            hint = "write `init(x) = VALUE`"
            raise model_error("E209", "`init(x)` stands alone on one side", self.text.at(equation), hint=hint)
        own = self.rewriting.expression(inside)
        return ast.SimpleEquation(
            equation.start, equation.end, own, self.rewriting.expression(value), equation.note
        )

    # ------------------------------------------------------------ whens

    def kept(self) -> frozenset[str]:
        """Variables that a when gives a value without `new`: they keep it until the next time."""
        found = set()
        for when in self.model.of(When):
            for equation in when.items:
                if self._target(equation) is None:
                    own = self._plain(equation)
                    if own is not None and len(own[0].parts) == 1:
                        found.add(own[0].text)
        return frozenset(found)

    def when(self, when: When) -> ast.WhenEquation:
        """A when with all its equations."""
        targets = [self._target(equation) for equation in when.items]
        jumping = frozenset(t[0] for t in targets if t is not None and t[0] in self.states)
        items: list[ast.Item] = []
        for equation, target in zip(when.items, targets, strict=True):
            place = equation.start, equation.end
            if target is None:
                own = self._plain(equation)
                if own is None:
                    raise self._nothing_new(equation)
                variable, value = own
                changed = self.rewriting.expression(value, jumping)
                items.append(ast.SimpleEquation(*place, variable, changed, equation.note))
                continue
            name, wanted = target
            value = self._solved(equation, wanted, f"new({name})")
            reference = _reference(equation, name)
            changed = self.rewriting.expression(value, jumping)
            if name in self.states:
                call = ast.Call(*place, _reference(equation, "reinit"), (reference, changed))
                items.append(ast.CallEquation(*place, call, equation.note))
            else:
                items.append(ast.SimpleEquation(*place, reference, changed, equation.note))
        condition = self.rewriting.expression(when.condition)
        return ast.WhenEquation(when.start, when.end, ((condition, tuple(items)),), when.note)

    def _plain(self, equation: Equation) -> tuple[ast.Reference, ast.Expression] | None:
        """`y = value` or `value = y`."""
        for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
            if isinstance(one, ast.Reference) and self._can_change(one) and not _occurs(one.text, other):
                return one, other
        return None

    def _can_change(self, reference: ast.Reference) -> bool:
        if len(reference.parts) > 1:
            return True
        seen = self.own.variables.get(reference.text)
        if seen is None:
            return False
        return seen.kind not in (PARAMETER, CONSTANT) and reference.text not in self.states

    def _nothing_new(self, equation: Equation) -> Exception:
        left = equation.left
        hint = "write `new(x) = ...` or `y = ...`"
        if isinstance(left, ast.Reference):
            name = left.text
            if name not in self.own.variables and len(left.parts) == 1:
                hint = did_you_mean(name, self.own.variables) or "declare it as `local`"
                message = f"`{self.own.name}` has no variable `{name}`"
                return model_error("E201", message, self.text.at(left), hint=hint)
            if _occurs(name, equation.right) or name in self.states:
                hint = f"write `new({name}) = ...`: `{name}` is its value before the instant"
        message = "this equation does not say which variable gets a new value"
        return model_error("E209", message, self.text.at(equation), hint=hint)

    # ------------------------------------------------------------ new

    def _target(self, equation: Equation) -> tuple[str, Callable[[ast.Node], bool]] | None:
        """The variable whose new value an equation says, and what stands for it."""
        for side in (equation.left, equation.right):
            name = self._renewed(side)
            # `y = new(x)` is for y, where another equation says `new(x) = ...`.
            if name is not None and (side is equation.left or name not in self.on_left):
                return name, self._wanted(name)
        names = list(dict.fromkeys(self._all_renewed((equation.left, equation.right))))
        names = [n for n in names if n not in self.defined]
        if not names:
            return None
        if len(names) > 1:
            several = " and ".join(f"`new({n})`" for n in names)
            hint = "let one of them stand alone on its side"
            raise model_error("E209", f"an equation for {several}", self.text.at(equation), hint=hint)
        return names[0], self._wanted(names[0])

    def _defined(self) -> Iterator[str]:
        """Variables whose new value is said by an equation in which it stands alone on a side."""
        for equation in equations(self.model):
            for side in (equation.left, equation.right):
                name = self._renewed(side)
                if name is not None:
                    yield name
                    break

    def _renewed(self, node: ast.Node) -> str | None:
        """`x` of `new(x)`, the first derivative of `new(der(x))`."""
        if not isinstance(node, ast.Call) or node.function.text != "new" or len(node.args) != 1:
            return None
        inside = node.args[0]
        if isinstance(inside, ast.Reference) and len(inside.parts) == 1:
            if inside.text not in self.own.variables:
                hint = did_you_mean(inside.text, self.own.variables) or "declare it as `local`"
                message = f"`{self.own.name}` has no variable `{inside.text}`"
                raise model_error("E201", message, self.text.at(inside), hint=hint)
            return inside.text
        if isinstance(inside, ast.Call) and inside.function.text == "der" and len(inside.args) == 1:
            of = inside.args[0]
            if isinstance(of, ast.Reference) and of.text in self.rewriting.twice:
                return self.rewriting.twice[of.text]
        hint = "write it in the model that declares the variable"
        message = "`new` is applied to a variable of the model itself"
        raise model_error("E212", message, self.text.at(node), hint=hint)

    def _all_renewed(self, node: object) -> Iterator[str]:
        for call in calls(node, "new"):
            name = self._renewed(call)
            if name is not None:
                yield name

    def _wanted(self, name: str) -> Callable[[ast.Node], bool]:
        return lambda node: isinstance(node, ast.Call) and self._is_new(node) and self._renewed(node) == name

    def _is_new(self, node: ast.Call) -> bool:
        return node.function.text == "new" and len(node.args) == 1

    def _solved(self, equation: Equation, wanted: Callable[[ast.Node], bool], what: str) -> ast.Expression:
        found = solved(equation.left, equation.right, wanted)
        if found is None:
            hint = f"write `{what} = ...`"
            message = f"this equation cannot be solved for `{what}`: it is not linear in it"
            raise model_error("E204", message, self.text.at(equation), hint=hint)
        return found


def _occurs(name: str, node: ast.Expression) -> bool:
    """Whether the value of a variable is used, other than the one before the instant."""

    def without(each: ast.Node) -> ast.Node | None:
        prior = isinstance(each, ast.Call) and each.function.text == "pre"
        return ast.Number(each.start, each.end, 0) if prior else None

    return occurrences(rebuilt(node, without), lambda n: isinstance(n, ast.Reference) and n.text == name) > 0


def _reference(node: ast.Node, name: str) -> ast.Reference:
    return ast.Reference(node.start, node.end, ((name, ()),))
