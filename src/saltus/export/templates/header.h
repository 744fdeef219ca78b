/* @MODEL@, exported by Saltus @VERSION@ as C99 for steps of a fixed length (@METHOD@).
@DESCRIPTION@ *
 *     @NAME@ model;                              no memory is allocated: all of it is in here
 *     @NAME@_init(&model);                       the start, as Saltus has found it
 *     @NAME@_set(&model, @NAME@_..., value);     parameters, at any time; then, if they are to count for the start,
 *     @NAME@_restart(&model);
 *     while (@NAME@_step(&model) == @NAME@_OK)   one step of the length model.step
 *         ... @NAME@_get(&model, @NAME@_...) ...
 *
 * Numbers are computed in the same order as Saltus computes them. Compile without -ffast-math.
 */
#ifndef @GUARD@
#define @GUARD@

#ifdef __cplusplus
extern "C" {
#endif

/* What the functions return. Below OK nothing is wrong; what is above it stays until the next `init`. */
typedef enum {
    @NAME@_FINISHED = -1,   /* the stop time has been reached */
    @NAME@_OK = 0,
    @NAME@_ENDED,           /* the model has ended itself (terminate) */
    @NAME@_ASSERTION,       /* an assertion of the model does not hold: see `text` */
    @NAME@_NO_SOLUTION,     /* a system of equations has no solution: see `text` */
    @NAME@_EVENT_FAILED,    /* truths of relations, or rounds of an event, do not come to an end */
    @NAME@_UNLISTED_MODE,   /* a mode that needs a program of its own, which is not in this code */
    @NAME@_REFUSED          /* of `set` and `set_step`: what was asked for is not possible; nothing has changed */
} @NAME@_status;

typedef enum { @NAME@_PARAMETER, @NAME@_INPUT, @NAME@_STATE, @NAME@_DERIVATIVE, @NAME@_VARIABLE } @NAME@_kind;

/* What has a name: the number of an entry stands in the enumeration below. */
typedef struct {
    const char *name, *unit, *description;
    @NAME@_kind kind;
    int place;       /* in @PLACES@ */
    int negated;     /* 1: the opposite number is there; 2: the opposite truth */
    int settable;    /* may it be set? */
    int overridden;  /* the place of a flag: a value was set */
    int told;        /* of an input: the place of the value that it is told */
} @NAME@_entry;

@ENTRIES@

extern const @NAME@_entry @NAME@_entries[];

@DECLARED@/* A model at work. What is called `step` and `stop` may be read; `stop` may be written, too. */
typedef struct {
    double m[@SIZE@]; /* @NUMBERS@ */
    double left[@MEMORY@]; /* those before the last event */
    double now;              /* the time up to which steps have been taken */
    double step;             /* how long steps are: `set_step` */
    double stop;             /* no step goes beyond this time: INFINITY, until somebody writes another */
    long long steps, events; /* how many there have been */
    long long warnings;      /* assertions that only warn, and did not hold */
    int event;               /* was there an event at the end of the last step? */
    @NAME@_status status;
    int check, failed_status, failed_by; /* for `text` */

    /* Of the driver: the last step, */
    double origin, limit, begun, reached;
    int fresh, regular, restart, probe, ended, woken;
    double old_states[@STATES@], end_states[@STATES@], last_inlined[@STATES@];
    /* relations, */
    double side[@WATCHED@], allowance[@WATCHED@];
    double margins_lo[@WATCHED@], margins_hi[@WATCHED@], margins_mid[@WATCHED@];
    char at_zero[@WATCHED@];
    /* clocks, */
    long long next_tick[@CLOCKS@], tick_interval[@CLOCKS@];
    char ticks[@CLOCKS@];
    int ticking, rounds, searched;
@PROGRAMS@    /* and events. */
@EVENTS@} @NAME@;

/* The start: what Saltus has computed for it, the event at the start included. */
@NAME@_status @NAME@_init(@NAME@ *model);

/* The start once more, with the parameters as they are now: start values, the initial system, the event at the
 * start. REFUSED, with nothing changed, where that takes more than is in this code: a model whose modes have
 * equations of their own@RESTARTS@ */
@NAME@_status @NAME@_restart(@NAME@ *model);

/* To the next multiple of the step: one step, or several where events are scheduled on the way. */
@NAME@_status @NAME@_step(@NAME@ *model);

/* One step, which ends where something is scheduled, too. All values are those after the event, if there was
 * one; `get_left` has those before it. */
@NAME@_status @NAME@_advance(@NAME@ *model);

/* Computes all variables once more from states and parameters. They are up to date after all other functions. */
@NAME@_status @NAME@_outputs(@NAME@ *model);

/* Values by the number of their entry, NAN where there is none. Truths are 0 and 1, enumerations count from 1. */
double @NAME@_get(const @NAME@ *model, int entry);
double @NAME@_get_left(const @NAME@ *model, int entry);

/* A parameter gets another value, from now on. An input gets one and keeps it until the next: where it changes, an
 * event happens before the next step. */
@NAME@_status @NAME@_set(@NAME@ *model, int entry, double value);

/* Steps are of another length from now on, and end at multiples of it after now. */
@NAME@_status @NAME@_set_step(@NAME@ *model, double step);

/* The number of the entry with a name, -1 if there is none. */
int @NAME@_find(const char *name);

/* What the status of a model means, in words. */
const char *@NAME@_text(const @NAME@ *model);

#ifdef __cplusplus
}
#endif

#endif
