"""What is shown to people: the flat model as text, the sorted equations, plots.

flat      flat model -> Modelica text
dump      instance, hybrid model, program -> text, for --dump
passes    rewrites of the analysis -> text, for --dump-after and --list-passes
counts    flat, hybrid, structure -> the counts of `saltus explain`
sorted    structure -> the listing of `saltus explain`
matrix    structure -> incidence matrix as SVG
switching structure -> what relations and clocks decide
events    structure, result -> the listing of `saltus explain --events`
choice    result -> the variables to be shown
plot      result -> matplotlib figure
modes     result -> Booleans, Integers and enumerations as bars
shading   result -> modes behind the curves of a plot, and as a strip
visited   result -> the listing of `saltus explain --modes`
causality causality of bond graphs -> the listing of `saltus explain --causality`
sizes     result -> the listing of `saltus explain --sizes`
drawing   picture of a class -> SVG
bond_places  where the elements of a bond graph stand
bond_drawing bond graphs -> SVG with half arrows, causal strokes and machines
catalogue parts and models of the gallery -> text

More than 15 modules, because each listing or picture has one of its own.
"""
