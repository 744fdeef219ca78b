"""Inline integration: a method's formula becomes a part of the model, before it is sorted.

causality  which states fix the causality of switches
rewriting  the model with the formula in place of derivatives
"""
