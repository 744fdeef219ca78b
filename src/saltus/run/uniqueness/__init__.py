"""Whether the mode that a run has come to is the only one.

uniqueness  other modes that are consistent after an event, across programs and within one
"""
