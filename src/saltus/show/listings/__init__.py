"""What is shown as text: one module for each listing.

flat       flat model -> Modelica text
dump       instance, hybrid model, program -> text, for --dump
passes     rewrites of the analysis -> text, for --dump-after and --list-passes
declared   parameters and variables -> the listing of `saltus describe`
counts     flat, hybrid, structure -> the counts of `saltus explain`
sorted     structure -> the listing of `saltus explain`
inlined    structure -> formulas of fixed steps, for `saltus explain --inline`
switching  structure -> what relations and clocks decide; clock partitions, for `saltus explain --clocks`
events     structure, result -> the listing of `saltus explain --events`
relations  structure, result -> that of `saltus explain --events --relations`
visited    result -> the listing of `saltus explain --modes`
sizes      result -> the listing of `saltus explain --sizes`
causality  causality of bond graphs -> the listing of `saltus explain --causality`
reachable  markings of nets -> the listing of `saltus explain --reachable`
catalogue  parts and models of the gallery -> text
"""
