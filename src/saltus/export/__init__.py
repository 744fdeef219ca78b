"""A model as C99: what the methods with fixed steps (docs/realtime.md) do, for machines without Saltus.

    names        identifiers for everything that has a place in the memory
    values       expressions
    statements   statements, one by one
    routines     routines and user functions
    beginning    data from the start of a run: its memory, what its driver monitors
    items        numbers and tables that have names
    numbers      what a run has told, as such
    start        start values as a routine
    entries      entries that users access by name
    code         one program
    several      several of them
    project      the files

Routines of the model are printed statement by statement, as the LLVM and the Python back end print them.
The driver is hand-written C (`templates/`): it takes the same steps in the same order as
`saltus.emit.driver.fixed_step`, `saltus.emit.driver.event` and `saltus.run.iteration`, so that the numbers
differ only where compilers round differently. Generating the driver from its description would have been
shorter, but the result would not have been readable.
"""
