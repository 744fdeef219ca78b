"""Displays in notebooks: fragments of HTML that follow the theme, light or dark.

card     the frame, tables, folded parts
curves   result -> a small plot as SVG, within milliseconds
models   model -> its size, its drawing and parameters
results  result -> a small plot, what happened, modes and impulses
told     warnings and errors, as boxes
"""
