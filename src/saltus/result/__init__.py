"""What a run leaves behind: trajectories, events, modes, files.

`result` is what users hold; it puts the parts together. Bottom to top:

    provenance    the model that a result comes from
    log           what was written down about events, and counted
    trajectories  rows, and every variable by name over time
    words         relations in words, and where they are written
    modes         which branches were in force, from when to when
    events        events and impulses, decoded
    steps         rows by number, with the modes that events have passed through
    linear        what a model is near one position
    exchange      curves without their model: in files of other formats, compared
    result        the result: all of the above
    files         the event log as text, files that grow during a run, results that have not kept all
"""
