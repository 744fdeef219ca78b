"""Meaning: syntax to instances to the flat model to the hybrid DAE.

One room for each job. A room uses those that are listed before it, never those after it.

    classes      which classes exist, and what names mean
    annotations  classes described and drawn, without lowering them
    scope        what all of lowering shares
    instances    classes to the tree of components
    names        references to the components they mean
    connections  connections and streams (chapters 9 and 15)
    functions    user functions: calls, bodies, derivatives (chapter 12)
    expressions  syntax to values
    sections     equation and algorithm sections to clauses
    flat         the flat model and its checks
    clocks       clock partitions to discrete equations (chapter 16)
    hybrid       the flat model to the hybrid DAE
"""
