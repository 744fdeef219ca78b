"""Runs that are longer than anybody has tried: is any event stepped over? `python -m tools.long_runs --help`.

shipped_models   the models that are shipped and can be simulated
stepped_over     models whose events were stepped over once, each with a truth of its own
event_sequences  when relations change and clocks tick in two runs, compared
time_limited     jobs in processes of their own, each under a limit of time
runs             the runs, what is said of each, and the command line
"""
