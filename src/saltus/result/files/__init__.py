"""Files: the event log as text, and files of results that grow while a run lasts.

eventlog  the event log as text, and as JSON lines
growing   files that can be read at any moment of a run
"""
