"""State machines as text (`.sm`): text to machines and back, and machines to Modelica.

parser             statements to machines: `parse`
checks             what a machine must be, in words: states, transitions, what is done where
lowering           machines to classes of Modelica
boolean_equations  machines to Boolean equations, by the rule of paper 000
writer             machines to text: `machine_text`
files              reading from disk, and what lowering asks of a reader
"""
