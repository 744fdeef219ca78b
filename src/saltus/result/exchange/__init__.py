"""Results that leave and come back: curves without the model that they are of, in files of several formats.

curves   variables over time, with units and types, wherever they come from
matlab   MATLAB files of version 4 in the layout of Modelica tools
tables   comma-separated values, Parquet
arrays   NetCDF and HDF5
formats  a suffix to what writes and reads it
state    what another run needs to go on from a time
steady   a position at which a model stays
compare  two runs side by side
"""
