"""Shared parts of the languages with one statement per line: bond graphs, nets, machines.

texts         texts from disk
statements    the text cut into statements, comments blanked
statement     one statement: names, values, arguments, arrows
reader        one statement after the other, with all faults of a text
declarations  statements that declare variables, parts and equations
names         names that are used twice, and what actions set
numbers       whole numbers that a text determines by itself
types         which types values have, by their form
pieces        small syntax trees, of which lowering makes large ones
declared      what is declared, as components and equations of Modelica
stored        what a text defines: checked, and its classes
assigned      what actions set, as equations
experiments   how a model is run
logged        how the log reports a change of a variable
printed       declarations as text again
"""
