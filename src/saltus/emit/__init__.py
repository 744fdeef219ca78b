"""Structure to program to machine.

`build` makes the program of a structure: all routines. `machine` is what a compiled program can do, whichever
back end made it. Their parts, bottom to top:

    machine    a compiled program with its memory: the protocol of both back ends
    straight   expressions to straight-line statements
    loops      linear and nonlinear blocks to statements
    systems    the same for systems whose structure is found by numbers
    layout     the memory, and which block goes into which routine
    events     the routines of an event
    support    native code that is the same for all models
    callbacks  what SUNDIALS calls
    driver     integration from event to event, in native code
    llvm       program to native code in memory
    python     program to Python: the slow reference
    routines   the routines of a program, from tasks
    build      structure to program: the memory layout and all routines
"""
