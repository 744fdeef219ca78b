"""Structure to program to machine.

build           structure -> program: all routines (layout, schedule, events, functions are its parts)
sharing         expressions -> straight-line statements: shared subexpressions, calls, lazy branches
elimination     linear systems as statements
newton          the nonlinear solver as statements
python          program -> Python source: the slow reference (ieee is its arithmetic)
llvm            program -> LLVM assembly text (llvm_builtins, callbacks are its parts)
driver          integration from event to event as LLVM text, the same for all models (assembly writes it)
jit             LLVM text -> native code in memory
machine         what a compiled program can do, whichever back end made it
"""
