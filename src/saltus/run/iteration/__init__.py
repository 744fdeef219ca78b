"""An event within one program: from its left limits to consistent values after it.

settle     consistent truths for the relations
search     the search for a mode where the iteration goes round in a circle
rounds     how many rounds an event may take
following  the steps of an event, from the tables that native code is made of, too
carried    what goes with states that are reinitialised
events     the event iteration
"""
