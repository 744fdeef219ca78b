"""Meaning: syntax to instances to the flat model to the hybrid DAE.

classes          class entries, where classes are found on disk
foreign          words of other languages
inheritance      what a class may extend
restrictions     what a class may contain, by its own text
lookup           what a name means at a place (chapter 5 of the specification)
layout           the elements of a class with all its bases
context          scopes, and what all of lowering shares
types            types of scalars, enumerations included
hints            what may have been meant by a text that is refused
values           arrays and records of expressions
modifiers        modifications, their merging and their values
enumerations     literals, and types as sizes and ranges
subtypes         whether a class may stand for another one
redeclarations   what may be redeclared, and as what
prefixes         which components may have which type prefixes
instantiate      classes to the instance tree
subscripts       indices, slices, and indices that vary during the run
references       dotted, subscripted names to nodes and values
expressions      syntax to values
builtin_call     what a predefined function is given
array_builtins   the predefined functions of arrays
clocked          clocks and clocked operators
state_machines   what is said about states of a state machine
builtins         the other predefined functions and operators
defaults         default values of inputs and fields, record constructors
function_locals  the variables of a function's body
function_units   units of the inputs and outputs of functions
functions        calls of user functions
bodies           their declarations and algorithms
statements       statements of functions to imperative statements
interpret        user functions evaluated at translation
calls            the arguments of assert and terminate, conditions
conditions       when a when-clause is active
algorithms       algorithm sections of models, executed symbolically
equations        equation sections to clauses
connectors       what a connector may consist of
connect_sections the connect-equations of all sections
connection_ends  what the arguments of connect name
compatibility    which parts of two connectors belong together
connection_sets  what is connected with what
signals          sources of connected inputs and outputs
expandable       expandable connectors: what connections add to them
overconstrained  overdetermined types: spanning trees, and constraints in place of equations too many
streams          what flows carry: mixtures in connection points
connection_operators  what expressions ask about connections
connect          connections, and the equations that they mean
semilinear       semiLinear where nothing flows
open_inputs      inputs of components that nothing gives a value
parameter_cycles parameters that depend on each other in branches not taken
balance          variables that a component leaves to the model around it
flatten          the instance tree to the flat model
units            where units of the flat model disagree
events           expressions of the hybrid DAE: relations, clocks, steps
clauses          when- and if-clauses to equations, jumps and checks: the flat model to the hybrid DAE
"""
