"""The nouns of the compiler: one module per intermediate representation, in pipeline order.

    ast        syntax, as the text has it
    instance   the tree of components, classes resolved, modifiers applied
    flat       scalar variables and equations, nothing hierarchical left but names
    hybrid     relations, clocks and discrete equations made explicit
    structure  sorted blocks
    program    imperative statements over one memory vector

Each is frozen data with a `verify()` that says what it may and may not contain.
"""
