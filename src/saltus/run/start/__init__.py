"""Before the first step: parameters, start values, the initial system and its mode.

overrides   parameter values given from outside
guesses     start values that follow from other start values
definitions a loop in few unknowns, the others by what defines them
homotopy    the way from the simplified initial system to the actual one
initialise  parameters, start values, the initial system
constants   values of parameters that are treated as constants
declared    parameters and start values as tables for people
first_step  the first instant of what a formula of fixed steps determines
starting    the initial system in the mode that its solution belongs to
"""
