"""Functions that users write: their calls, their bodies, and what is declared about them (chapter 12 of the
specification). More than 15 modules, because what gives statements a meaning, a body, a call written out and
one that is executed, shares the walk through them, and all of it is one chapter.

function_rules        what a function must not have
function_locals       the variables of a function's body
function_units        units of inputs and outputs
defaults              default values of inputs and fields, record constructors
function_arguments    functions as arguments
functions             calls: arguments bound, results taken
bodies                declarations and algorithms of a body
walker                one walk through statements, for all that gives them a meaning
knowledge             what is known about a function's variables at a place of its body
statements            statements of functions to imperative statements
execution             functions executed at translation
inlining              functions written out where they are called
c_code                external functions whose C code comes with the model
external              external functions (`external.mo` has those that are written in Modelica)
function_derivatives  derivatives that the user wrote
function_inverses     inverses that the user wrote
"""
