"""Native code that is written by hand, the same for all models, as LLVM text.

assembly       an assembler with loops and branches
llvm_builtins  built-in functions and run-time support
small_solve    small linear systems whose pivots are sought at run time
external       external functions that are provided in native code
histories      histories asked: delay
contents       contents asked and moved on: spatialDistribution
remember       what happens is remembered in histories
"""
