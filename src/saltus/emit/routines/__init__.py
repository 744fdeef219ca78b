"""The routines of a program, from tasks.

tasks            what routines are put together from
routines         routines made of tasks, in the memory of one program
numeric_systems  a system whose structure is found by numbers
blocks           sorted blocks to tasks that solve them
continuous       what varies continuously
instants         relations, entries of modes, jumps, checks
"""
