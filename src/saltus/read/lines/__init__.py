"""What languages have in common that have one statement a line: bond graphs, nets, machines.

texts        texts from disk
statements   the text cut into statements, comments blanked
statement    one statement: names, values, arguments, arrows
reader       one statement after the other, with all faults of a text
pieces       small syntax trees, of which lowering makes large ones
experiments  how a model is run
"""
