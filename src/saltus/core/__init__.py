"""What everything stands on. Imports nothing of Saltus.

source       source files and the places in them
diagnostics  diagnostics as values, and the errors that carry them
render       diagnostics as text
option       what an option is: an entry of a table; checks of values
wording      numbers and lists in the sentences of messages
nearest      known names near an unknown one
cache        the disk cache
collection   garbage collection, put off
"""
