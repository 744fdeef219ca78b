/* @MODEL@: the program that takes for granted: @MODE@. See @NAME@.h. Exported by Saltus
 * @VERSION@.
 *
 *   1. where numbers are       every number of the program has a place in the memory `m`, by its name
 *   2. the model               its equations, sorted and solved: routines that work on the memory
 *   3. what steps go by        tables, and what the program tells of itself
 */
#include "@NAME@_programs.h"

/* ------------------------------------------------------------------------------------------------------------
 * 1. Where numbers are: p_ parameters, x_ states, der_ derivatives, v_ variables, d_ discrete ones, pre_ left
 * limits, r_ truths of relations, n_ what computations need.
 * --------------------------------------------------------------------------------------------------------- */

@PLACES@
