"""Meaning: syntax to instances to the flat model to the hybrid DAE.

classes          class entries, where classes are found on disk
foreign          words of other languages
inheritance      what a class may extend
restrictions     what a class may contain, by its own text
lookup           what a name means at a place (chapter 5 of the specification)
connector_classes  which classes are buses, which are overdetermined
selective        what an extends clause leaves out
layout           the elements of a class with all its bases
limits           how large a model may be
chain            the components that led to an error
context          scopes, and what all of lowering shares
types            types of scalars, enumerations included
hints            what may have been meant by a text that is refused
values           arrays and records of expressions
modifiers        modifications, their merging and their values
enumerations     literals, and types as sizes and ranges
subtypes         whether a class may stand for another one
redeclarations   what may be redeclared, and as what
prefixes         which components may have which type prefixes
attributes       attributes of variables
dimensions       sizes of components
instantiate      classes to the instance tree
subscripts       indices, slices, and indices that vary during the run
references       dotted, subscripted names to nodes and values
expressions      syntax to values
iteration        what loop variables run over
products         products of arrays
record_types     which record a class stands for
overloading      operators of operator records
texts            String variables
builtin_call     what a predefined function is given
array_builtins   the predefined functions of arrays
transport_call   the call of spatialDistribution
clocked          clocks and clocked operators
state_machines   what is said about states of a state machine
builtins         the other predefined functions and operators
defaults         default values of inputs and fields, record constructors
function_locals  the variables of a function's body
function_units   units of the inputs and outputs of functions
functions        calls of user functions
bodies           their declarations and algorithms
statements       statements of functions to imperative statements
execution        user functions executed at translation
knowledge        what is known about a function's variables at a place of its body
inlining         functions written out where they are called
external         external functions
resources        where a URI leads
function_arguments    functions as arguments
function_derivatives  derivatives that the user wrote
function_rules   what a function must not have
calls            the arguments of assert and terminate, conditions
conditions       when a when-clause is active
algorithms       algorithm sections of models, executed symbolically
equations        equation sections to clauses
branches         if-equations whose condition varies
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
event_tables     relations, clocks and helper variables, as they are found
delays, transports    delay and spatialDistribution
events           expressions of the hybrid DAE: relations, clocks, steps
clauses          when- and if-clauses to equations, jumps and checks: the flat model to the hybrid DAE
"""
