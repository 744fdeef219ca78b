"""Results that leave and come back: curves without the model that they are of, in files of several formats.

curves      variables over time, with units and types, wherever they come from
where       where a table has parameters
stream      what a format has to offer: files that get their rows block by block
matlab      MATLAB files of version 4 in the layout of Modelica tools
tables      comma-separated values, Parquet
attributes  named arrays with attributes, as curves
netcdf      NetCDF
hdf5        HDF5
formats     a suffix to what writes and reads it
outlets     where rows go that a run gives away: to a file, or as a few columns into the memory
state       what another run needs to go on from a time
steady      a position at which a model stays
compare     two runs side by side
"""
