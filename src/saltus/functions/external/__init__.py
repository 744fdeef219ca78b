"""External functions that are provided in Python, by their C names: those that are called before a run.

Each takes the arguments of the C function that are not results, arrays as nested lists, and gives a list of
its results in order, arrays flattened: as `functions.interpret.call_function` does for functions of the
language.

objects      what an external object is, and what goes wrong with one
strings      functions of texts
surroundings what functions of files see and change
files        functions of files
table_files  tables in files
pieces       tables as pieces of polynomials
compiled     C code of the model, compiled and loaded
tables       tables of the standard library
given        curves of inputs that are given to a run
random       random numbers
lapack       functions of LAPACK, called by address
provided     all of them by their C names
"""
