"""The native back end: program to LLVM text to object code to a machine.

values       expressions to LLVM assembly text
llvm         statements, routines and functions: a program as text
modules      a program as modules that are compiled with different care
object_code  LLVM text to object code, kept on disk
drivers      the driver, compiled quickly at first, and with care where runs take long
jit          native code in memory: `native_machine`
"""
