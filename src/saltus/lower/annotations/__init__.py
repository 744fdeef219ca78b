"""Annotations: descriptions and graphics of classes, without evaluating the classes.

literals   annotations as plain values
primitives lines, texts, ... from the records that describe them
graphics   icons and diagrams
placing    places and lines into the text of a class
log_words  how the log reports a change of a variable
catalogue  what a library offers
"""
