/* @MODEL@: what its programs, one for each mode that has equations of its own, tell of themselves. See @NAME@.h. */
#ifndef @NAME@_PROGRAMS_H
#define @NAME@_PROGRAMS_H

#include "@NAME@.h"

#include <math.h>
#include <string.h>

#define ROOM(n) ((n) > 0 ? (n) : 1)

@ARITHMETIC@
@OBJECTS@
@STRUCT@

@PROGRAMS@

#endif
