"""The past: what delays and transports remember.

contents   the content of a spatialDistribution
histories  the histories of delays
"""
