"""What a model is near the position that a run has come to.

near  the derivatives of everything by states and inputs, in the mode that the run is in
"""
