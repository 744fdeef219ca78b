"""Structure to program to machine.

    build       structure -> program: routines, layout
    newton      the nonlinear solver as statements
    python      program -> Python source: the slow reference
    llvm        program -> LLVM assembly text
    jit         LLVM text -> native code in memory
    machine     what a compiled program can do, whichever back end made it
"""
