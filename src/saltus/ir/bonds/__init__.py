"""The nouns of hybrid bond graphs, which become syntax trees of Modelica.

    graph      hybrid bond graphs, as their text has them
    causality  which end of a bond gives what, in one mode
"""
