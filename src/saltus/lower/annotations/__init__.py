"""Annotations: classes described and drawn, without giving a value to anything.

literals   annotations as plain values
graphics   icons and diagrams
catalogue  what a library offers
"""
