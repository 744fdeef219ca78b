"""What a model is near one position: a linear system.

system  matrices with names, eigenvalues with the states that take part
"""
