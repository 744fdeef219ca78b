"""Truth from elsewhere. Nothing here imports Saltus.

piecewise_linear   circuits, friction and impacts: linear equations whose elements have modes
radau              their motion while the modes stay: many steps at once
stepping           how they are solved: Radau steps, located events, complementarity at each of them
discrete_events    logic with timers and ramps, in fractions
"""
