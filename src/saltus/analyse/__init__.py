"""Analysis: from the hybrid DAE to sorted blocks.

`analysis` is the driver: `analyse(model)` sorts a model, `Analysis` sorts it again in other modes, with other
states, on surfaces. Its parts, bottom to top:

    passes     the rewrites by name, and and the model after each
    trivial    equations simplified before anything is sorted
    sizes      sizes of variables without a nominal value: equations as sums of terms
    order      matching of unknowns to equations, and sorting
    index      index reduction and the choice of states
    blocks     components solved: explicit, linear, nonlinear; the Jacobian
    start      the initial system
    modes      variable structure: modes and surfaces
    inline     formulas of inline integration in place of derivatives
    analysis   all of it: `analyse`, `Analysis`, `Sorting`
"""
