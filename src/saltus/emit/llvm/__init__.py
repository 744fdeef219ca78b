"""The native back end: program to LLVM text to object code to a machine.

llvm         program to LLVM assembly text
modules      a program as modules that are compiled with different care
object_code  LLVM text to object code, kept on disk
drivers      the driver, compiled quickly at first, and with care where runs take long
jit          native code in memory: `native_machine`
"""
