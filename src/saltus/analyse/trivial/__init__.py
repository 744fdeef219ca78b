"""Equations simplified before anything is sorted.

rewritten        a model with all its expressions rewritten
frozen           parameters taken as constants
cancel           terms of an equation that cancel
alias            trivial equations between two unknowns are eliminated
stepped_factors  factors that change at events only are written out
homotopy         simplified expressions, for the way to the start
late_inlining    short functions written out when all derivatives are made
"""
