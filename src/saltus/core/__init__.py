"""What everything stands on. Imports nothing of Saltus.

source       source files and the places in them
message      diagnostics as values: a code, a sentence, a place
render       diagnostics as text
coloured     the same in colours
diagnostics  the errors that carry them, and a reporter
option       what an option is: an entry of a table; checks of values
wording      numbers and lists in the sentences of messages
nearest      known names near an unknown one
cache        the disk cache
components   strongly connected components of a graph
nullspace    what equations leave open, and which of them say it twice, exactly (numbers only)
collection   garbage collection, put off
exclusive    one thread at a time
stopwatch    where the time goes
audience     who hears of warnings as they arise
"""
