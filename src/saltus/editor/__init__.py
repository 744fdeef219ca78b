"""Saltus in an editor: `saltus lsp`, a server of the Language Server Protocol. May import every other part.

text        places as editors count them
document    a text that is open, with the best tree it has
workspace   what is open, and the classes of each document
elements    what classes declare and inherit, and what is said about it, also of damaged texts
predefined  functions, types and words of the language, in a line each
cursor      what stands at a place: a name, and what is expected there
meaning     what a name means
definition  where it is declared, and where else it is named
hover       what is known of it
completion  what may be written at a place
signature   the arguments of the function that is being called
outline     the classes and components of a document, and what can be folded
findings    what `saltus check` says about a document
checks      findings of each version, worked out by another process
server      the protocol, by `pygls`
"""
