"""A model as C99: what the methods with fixed steps (docs/realtime.md) do, for machines without Saltus.

    names        identifiers for all that has a place in the memory
    values       expressions
    statements   statements, one by one
    routines     routines and user functions
    beginning    what a run that has begun tells: where it begins, what its driver watches
    items        numbers and tables that have names
    numbers      what a run has told, as such
    start        start values as a routine
    entries      what users reach by name
    code         one program
    several      several of them
    project      the files

Routines of the model are printed statement by statement, as the LLVM and the Python back end print them.
What drives them is C that is written by hand (`templates/`): it goes through the same steps in the same order
as `saltus.emit.driver.fixed_step`, `saltus.emit.driver.event` and `saltus.run.iteration`, so that the numbers
are the same but for what compilers round otherwise. Printing the driver from its own description would have
been shorter, and nobody would want to read the result.
"""
