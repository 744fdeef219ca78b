"""Classes: which there are, what they contain, and what a name means in them.

foreign            words of other languages, and what Modelica has instead
classes            classes in their environments, and where they are found on disk
shipped            parts of the library that comes with Saltus, by their names alone
lookup             what a name means at a place (chapter 5 of the specification)
inheritance        what a class may extend
restrictions       what a class may contain, by its own text
selective          what an extends clause leaves out
layout             the elements of a class with all its bases
record_types       which record a class stands for
connector_classes  which classes are buses, and which are overdetermined
subtypes           whether a class may stand for another one
redeclarations     what may be redeclared, and as what
prefixes           which components may have which type prefixes
resources          where a URI leads
"""
