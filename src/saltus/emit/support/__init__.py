"""Hand-written native code, the same for all models, as LLVM text.

assembly       an assembler with loops and branches
llvm_builtins  built-in functions and run-time support
small_solve    small linear systems whose pivots are sought at run time
external       external functions that are provided in native code
histories      evaluating histories: delay
contents       evaluating and moving contents: spatialDistribution
remember       writing steps and events into histories
"""
