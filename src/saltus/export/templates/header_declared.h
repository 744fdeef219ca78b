struct @NAME@_program; /* the equations of one or more modes, and where things are in its memory */

