"""What a run leaves behind: trajectories, the event log, files."""
