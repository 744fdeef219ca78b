"""Any source language to `ir`. One folder per language, independent of each other.

modelica  Modelica
"""
