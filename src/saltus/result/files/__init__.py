"""Files: the event log as text, and files of results that grow while a run lasts.

eventlog  the event log as text, and as JSON lines
stored    the result of a run that has not kept all
growing   files that can be read at any moment of a run
"""
