"""Text to processes.

tokens       text to tokens, mathematical spelling or ASCII
expressions  tokens to expressions
statements   tokens to statements
declarations tokens to declarations
parser       tokens to processes: `parse`
"""
