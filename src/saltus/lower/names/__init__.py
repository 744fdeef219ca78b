"""Names: what a reference means in the tree of components.

iteration   what loop variables run over
subscripts  indices, slices, and indices that vary during the run
references  dotted, subscripted names to nodes and values
"""
