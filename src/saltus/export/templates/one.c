/* There is one program: a number has one place at all times. */
#define NUMBERS(s) ((s)->m)
#define HERE(s) 0
#define LEFT_BY(s) 0
#define GO_TO(s, number) ((void)(s))
#define DEPART(s) ((void)(s))
#define FREEZE(s) ((void)(s))
#define LEFT_RELATIONS(s) RELATIONS
#define FROZEN_RELATIONS(s) RELATIONS
#define FROZEN_BANDS(s) BANDS
#define frozen_place(s, place) (place)
#define bring_along(s, there) ((void)(there))

/* The value of an entry among numbers. */
static double value_of(const @NAME@ *s, int entry, const double *numbers, int program)
{
    (void)s;
    (void)program;
    if (entry < 0 || entry >= @NAME@_N_ENTRIES) return NAN;
    const @NAME@_entry *const e = &@NAME@_entries[entry];
    if (e->negated == 2) return numbers[e->place] != 0.0 ? 0.0 : 1.0;
    return e->negated ? -numbers[e->place] : numbers[e->place];
}

/* The bands of relations are those as usual from now on. */
static void note_bands(double *m)
{
    memcpy(m + NARROW_BANDS, m + BANDS, N_RELATIONS * sizeof *m);
}

static void load(@NAME@ *s)
{
    memcpy(s->m, numbers_at_start, sizeof numbers_at_start);
    memcpy(s->m + NARROW_BANDS, bands_at_start, sizeof bands_at_start);
}

/* The model is told the value of an input; whether that is another one. */
static int tell_input(@NAME@ *s, int entry, double value)
{
    double *const told = s->m + @NAME@_entries[entry].told;
    const int differs = *told != value;
    *told = value;
    return differs;
}

/* A parameter gets another value. */
static int tell_parameter(@NAME@ *s, int entry, double value)
{
    const @NAME@_entry *const e = &@NAME@_entries[entry];
    s->m[e->place] = value;
    if (e->overridden) s->m[e->overridden] = 1.0;
    const int status = do_parameters(s->m);
    note_bands(s->m);
    return status;
}

/* The equations are told how long steps are. */
static int tell_step(@NAME@ *s, double step)
{
    if (!STEP_PARAMETER) return 0;
    s->m[STEP_PARAMETER] = step;
    return do_parameters(s->m);
}

/* What a status of a routine means. */
static const char *failure_text(const @NAME@ *s)
{
    for (int k = 0; k < N_FAILURES; k++)
        if (failures[k] == s->failed_status) return failure_texts[k];
    return "a function, or a subscript, fails";
}

static const char *check_text(const @NAME@ *s)
{
    return check_texts[s->check];
}
