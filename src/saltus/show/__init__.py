"""What is shown to people, in a room for each form in which they see it.

listings     text
plots        curves, bars and shades over time
arrangement  where parts of a diagram stand and how its wires run
pictures     drawings
cards        fragments of HTML, for notebooks
report       all of a run, as a page for a browser
"""
