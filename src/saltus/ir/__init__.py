"""The nouns of the compiler: one module per intermediate representation, in pipeline order.

    ast        syntax, as the text has it
    instance   the tree of components, classes resolved, modifiers applied; and the classes themselves
    flat       scalar variables and equations, nothing hierarchical left but names
    balance    the terms of every equation, from which the sizes of variables follow
    hybrid     relations, clocks and discrete equations made explicit
    structure  sorted blocks
    program    imperative statements over one memory vector

Each is frozen data with a `verify()` that says what it may and may not contain. Others are

    inline     methods of inline integration, as formulas
    dymola     models in the Dymola language of 1993
    signature  systems whose structure is found by numbers, and the offsets of their equations
    parts      the parts that events keep apart: entries and turns of loops for each
    unit       units, their products and quotients
    picture    drawings of classes
    catalogue  what a library offers
    declared   what a model declares, with values, in tables

and four rooms:

    sorted     the elements of a structure: blocks, modes, surfaces, the Jacobian
    automata   the nouns of automata: machines and nets
    bonds      the nouns of bond graphs
    native     the numbers on which Python and native code have to agree

`saltus.functions` evaluates and differentiates user functions for several stages.
"""
