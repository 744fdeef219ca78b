/* @MODEL@: see @NAME@.h. Exported by Saltus @VERSION@.
 *
 *   1. what steps go by        tables; which program is at work where guards have which values
 *   2. steps and events        the same for all models
 *
 * The model itself is in the other sources: a program for each mode that has equations of its own, and one for all
 * others.
 */
#include "@NAME@_programs.h"

enum { TIME = 0 };
