"""The nouns of the compiler: one module per intermediate representation, in pipeline order.

    automaton  state machines: locations and transitions
    bondgraph  hybrid bond graphs, as their text has them
    causality  which end of a bond gives what, in one mode
    ast        syntax, as the text has it
    instance   the tree of components, classes resolved, modifiers applied; and the classes themselves
    flat       scalar variables and equations, nothing hierarchical left but names
    balance    what tells how large variables are: the terms of every equation
    hybrid     relations, clocks and discrete equations made explicit
    structure  sorted blocks
    program    imperative statements over one memory vector

Each is frozen data with a `verify()` that says what it may and may not contain. Beside them stand what
several stages have to agree on:

    signature  systems whose structure is found by numbers, and the offsets of their equations
    unit       units, their products and quotients
    picture    drawings of classes
    catalogue  what a library offers
    contract   numbers and names that Python and native code have in common: places in the memory, zero bands,
               limits of rounds and turns, native functions
    steps      the steps of an event in their order, which Python and native code follow
    drive      the fields that the native driver shares with Python, its codes, and the log of events
    parts      what events keep apart: entries and turns of loops, part by part
    passage    the fields of passages between programs
    history    what delays remember, as numbers
    transport  what a spatialDistribution contains, as numbers

What several stages do with a user function, evaluating and differentiating it, is in `saltus.functions`.

More than 15 modules, because each noun has one of its own, and they have nothing else in common.
"""
