"""Sizes of variables without a nominal value: prepared here, found when a run begins.

terms     equations as sums of terms, and terms as products of powers
inferred  a parameter for the size of each variable and residue without a nominal value
"""
