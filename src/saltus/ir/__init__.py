"""The nouns of the compiler: one module per intermediate representation, in pipeline order.

    ast        syntax, as the text has it
    instance   the tree of components, classes resolved, modifiers applied; and the classes themselves
    flat       scalar variables and equations, nothing hierarchical left but names
    balance    what tells how large variables are: the terms of every equation
    hybrid     relations, clocks and discrete equations made explicit
    structure  sorted blocks
    program    imperative statements over one memory vector

Each is frozen data with a `verify()` that says what it may and may not contain. Beside them stand

    inline     methods of inline integration, as formulas
    dymola     models in the Dymola language of 1993
    signature  systems whose structure is found by numbers, and the offsets of their equations
    parts      what events keep apart: entries and turns of loops, part by part
    unit       units, their products and quotients
    picture    drawings of classes
    catalogue  what a library offers
    declared   what a model declares, with values, in tables

and four rooms:

    sorted     of what a structure is made: blocks, modes, surfaces, the Jacobian
    automata   the nouns of automata: machines and nets
    bonds      the nouns of bond graphs
    native     what Python and native code have to agree on, number by number

What several stages do with a user function, evaluating and differentiating it, is in `saltus.functions`.
"""
