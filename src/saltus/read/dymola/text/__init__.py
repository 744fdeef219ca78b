"""Text to models, and models to text.

tokens               text to tokens and comments; where a statement ends
parser_words         expressions, and the words of messages
parser_connections   `connect` and its ways
parser_declarations  variables, cuts, paths, submodels, nodes
parser               tokens to models: `parse`
writer               models to text: `dymola_text`
"""
