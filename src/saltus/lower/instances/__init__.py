"""Instances: classes to the tree of components, with their modifiers applied.

modifiers     modifications, their merging and their values
enumerations  literals, and types as sizes and ranges
dimensions    sizes of components
attributes    attributes of variables
instantiate   classes to the instance tree
"""
