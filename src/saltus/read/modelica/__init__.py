"""The Modelica language (3.6): text to syntax tree and back.

lexer                text to tokens; an annotation is one token
token_stream         the position in the tokens, what is expected there, the errors
slips                what people write who think in another language
parser_expressions   expressions and names
parser_sections      equations and statements
parser_elements      modifications, components, imports, extends clauses
parser_classes       classes and whole files
parser               the entry points: `parse`, `parse_annotation`, `parse_expression`
recovery             the tree that a damaged text still has: `recovered`
printer_expressions  expressions to text
printer              trees to text: `to_text`
files                reading from disk through the cache: `read_file`, `read_text`, `package_entries`
"""
