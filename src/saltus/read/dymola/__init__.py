"""The Dymola language of 1993 (`.dym`): text to models and back, and models to Modelica.

text         a folder: text to models, and models to text
scope        what names mean: bases, submodels, what is seen of other classes
types        Boolean or Real: the language does not say it
solving      an equation solved for one of its variables
prior        `new(x)`, `Time`, `der2(x)` in expressions
merging      bases that `new` gives another meaning
connectors   cuts as connectors
wiring       `connect`: ways, nodes, main cuts, and which cuts meet
at_instants  `when`, and equations with `new(x)` and `init(x)`
lowering     models to classes of Modelica
from_modelica  classes of Modelica to models
files        reading from disk, and what lowering asks of a reader
"""
