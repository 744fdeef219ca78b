"""Export and import of results: curves without their model, in files of several formats.

curves      variables over time, with units and types, from any source
where       where a table contains parameters
stream      the interface of a format: files that get their rows block by block
matlab      MATLAB files of version 4 in the layout of Modelica tools
tables      comma-separated values, Parquet
attributes  named arrays with attributes, as curves
netcdf      NetCDF
hdf5        HDF5
formats     readers and writers by suffix
outlets     where a run sends finished rows: to a file, or as a few columns into memory
state       what another run needs to continue from a time
steady      a steady state
compare     two runs side by side
"""
