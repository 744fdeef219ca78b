"""Random models compared with solvers that share nothing with Saltus: `python -m tools.differential`.

Circuits, friction, impacts and logic are drawn from a seed, solved here by other means, run by Saltus with
every method, and compared. Files, in the order in which to read them:

    case         what a family draws: a model text, and the truth about it
    solvers/     the truth: piecewise linear systems with complementarity, and discrete events with fractions
    families/    the models, one file for each family
    draw         random numbers, apart for what a model is made of and for its values
    parameters   models of one structure as one text with parameters
    judge        one run compared with the truth
    trial        one model: drawn, solved, run, judged
    campaign     many of them, in processes under a limit of time, with a record that can be gone on with
    report       counts by verdict, and models that are kept

`python -m tools.differential --help` tells the options, `judge.py` the verdicts.
"""
