"""Declarations of languages of lines, as text again."""

from __future__ import annotations

from collections.abc import Sequence

from saltus.ir.automata.automaton import Action
from saltus.ir.automata.lines import (
    Argument,
    Connection,
    Continuous,
    Declared,
    Equation,
    Experiment,
    Input,
    Memory,
    Parameter,
    Part,
    Signal,
    Variable,
)
from saltus.read.modelica.printer_expressions import expression_text, string_text


def declared_text(item: Declared) -> str:
    """One statement."""
    match item:
        case Parameter() | Signal() | Memory():
            word = type(item).__name__.lower()
            type_name = f"{item.type_name} " if item.type_name else ""
            value = expression_text(item.value)
            return f"{word} {type_name}{item.name} = {value}{described(item.description)}"
        case Continuous():
            return f"continuous {item.name} = {expression_text(item.value)}{described(item.description)}"
        case Variable():
            type_name = f"{item.type_name} " if item.type_name else ""
            return f"variable {type_name}{item.name}{described(item.description)}"
        case Input():
            return f"input {item.type_name} {item.name}{described(item.description)}"
        case Part():
            given = f"({arguments_text(item.arguments)})" if item.arguments else ""
            return f"part {item.type_name.text} {item.name}{given}{described(item.description)}"
        case Equation():
            left, right = expression_text(item.left), expression_text(item.right)
            return f"equation {left} = {right}{described(item.description)}"
        case Connection():
            return f"connect {expression_text(item.left)}, {expression_text(item.right)}"
        case Experiment():
            return f"experiment {arguments_text(item.arguments)}"


def arguments_text(arguments: Sequence[Argument]) -> str:
    """`a = 1, b = 2`"""
    return ", ".join(f"{a.name} = {expression_text(a.value)}" for a in arguments)


def actions_text(actions: Sequence[Action]) -> str:
    """`x = 1, y = 2`"""
    return ", ".join(f"{a.target.text} = {expression_text(a.value)}" for a in actions)


def described(text: str) -> str:
    """A description behind a statement."""
    return f" {string_text(text)}" if text else ""
