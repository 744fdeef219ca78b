"""Every function of `Modelica.Math` and every medium of `Modelica.Media`, tried with values whose truth is
known from elsewhere: `python -m tools.library_functions LIBRARY`. The library is not part of this repository.

outline       which classes a library has
judge         a case, what it is compared with, and the verdict
math_cases    scalars, vectors, polynomials, distributions and the other functions of `Modelica.Math`
matrix_cases  `Modelica.Math.Matrices`, against NumPy and SciPy, or by the equation that a result must satisfy
models        the model that is generated for a function: with literals, parameters, values that vary
media_cases   the model that is generated for a medium: identities of its properties
"""
