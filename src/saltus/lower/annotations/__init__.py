"""Annotations: classes described and drawn, without giving a value to anything.

literals   annotations as plain values
graphics   icons and diagrams
log_words  how the log tells that a variable has changed
catalogue  what a library offers
"""
