/* Runs @MODEL@ and writes CSV to standard output: a row for each end of a step, and two at every event, before it
 * and after it.
 *
 *     @NAME@ [STOP [STEP [NAME=VALUE ...]]] > result.csv
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "@NAME@.h"

static @NAME@ model; /* static: it may be too large for a stack */

static int is_shown(int entry)
{
    return @NAME@_entries[entry].kind != @NAME@_PARAMETER;
}

static void write_row(double (*value)(const @NAME@ *, int))
{
    printf("%.17g", model.now);
    for (int k = 0; k < @NAME@_N_ENTRIES; k++)
        if (is_shown(k)) printf(",%.17g", value(&model, k));
    putchar('\n');
}

int main(int argc, char **argv)
{
    @NAME@_init(&model);
    model.stop = argc > 1 ? atof(argv[1]) : @STOP@;
    if (argc > 2 && @NAME@_set_step(&model, atof(argv[2])) != @NAME@_OK) {
        fprintf(stderr, "%s is no length of a step\n", argv[2]);
        return 2;
    }
    for (int k = 3; k < argc; k++) {
        char *const equals = strchr(argv[k], '=');
        if (equals) *equals = '\0';
        if (!equals || @NAME@_set(&model, @NAME@_find(argv[k]), atof(equals + 1)) != @NAME@_OK) {
            fprintf(stderr, "%s cannot be set\n", argv[k]);
            return 2;
        }
    }
    if (argc > 3) {
        const @NAME@_status code = @NAME@_restart(&model);
        if (code == @NAME@_REFUSED) {
            fprintf(stderr, "what is set counts from the start on, which is that of the export\n");
        } else if (code != @NAME@_OK) {
            fprintf(stderr, "the start: %s\n", @NAME@_text(&model));
            return 3;
        }
    }
    printf("time");
    for (int k = 0; k < @NAME@_N_ENTRIES; k++)
        if (is_shown(k)) printf(",\"%s\"", @NAME@_entries[k].name);
    putchar('\n');
    write_row(@NAME@_get);
    @NAME@_status status;
    while ((status = @NAME@_advance(&model)) == @NAME@_OK) {
        if (model.event) write_row(@NAME@_get_left);
        write_row(@NAME@_get);
    }
    if (status == @NAME@_FINISHED || status == @NAME@_ENDED) return 0;
    fprintf(stderr, "time %.9g: %s\n", model.now, @NAME@_text(&model));
    return 3;
}
