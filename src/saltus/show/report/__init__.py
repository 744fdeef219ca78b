"""What a run was, as one page for a browser. Python gathers data and writes them as JSON into the page; the
page, which is in the folder `page`, shows them.

packing    numbers and texts -> JSON, arrays as base64
texts      places in sources -> model texts with their lines
curves     result -> variables over time, as many rows as are seen
happenings result -> events with their causes, and modes
making     structure -> counts, incidence, equations
run        result -> parameters, timings, counts of the solver, warnings
library    the plotting library, from the package that ships it
page       all of these -> HTML
"""
