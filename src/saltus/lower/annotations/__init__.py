"""Annotations: classes described and drawn, without giving a value to anything.

literals   annotations as plain values
primitives lines, texts, ... from the records that describe them
graphics   icons and diagrams
placing    places and lines into the text of a class
log_words  how the log tells that a variable has changed
catalogue  what a library offers
"""
