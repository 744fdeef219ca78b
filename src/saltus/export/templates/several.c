/* Each program has a place of its own among all numbers. */
#define NUMBERS(s) ((s)->m + (s)->program->first)
#define HERE(s) ((s)->at)
#define LEFT_BY(s) ((s)->left_by)
#define DEPART(s) ((s)->left_by = (s)->at)
#define FREEZE(s) ((s)->frozen_by = (s)->at)
#define LEFT_RELATIONS(s) (programs[(s)->left_by]->relations)
#define FROZEN_RELATIONS(s) (programs[(s)->frozen_by]->relations)
#define FROZEN_BANDS(s) (programs[(s)->frozen_by]->bands)
#define GO_TO(s, number) ((s)->at = (number), (s)->program = programs[(s)->at])

/* Where something is in the program that has the left limits, by its number there; -1 if it is nowhere. */
static int frozen_place(const @NAME@ *s, int number)
{
    return programs[s->frozen_by]->table.places_by_number[number];
}

/* Another program gets time, discrete variables and truths of the one that is at work, and is at work from then on. */
static void bring_along(@NAME@ *s, int there)
{
    const struct @NAME@_program *const from = s->program, *const to = programs[there];
    const double *const source = s->m + from->first;
    double *const target = s->m + to->first;
    target[TIME] = source[TIME];
    for (int k = 0; k < N_VARYING; k++)
        memcpy(target + to->table.varying[k], source + from->table.varying[k], varying_lengths[k] * sizeof *target);
    GO_TO(s, there);
}

/* The value of an entry among the numbers of a program, NAN where it has none. */
static double value_of(const @NAME@ *s, int entry, const double *numbers, int program)
{
    (void)s;
    if (entry < 0 || entry >= @NAME@_N_ENTRIES) return NAN;
    const int place = programs[program]->table.entry_places[entry];
    if (place < 0) return NAN;
    const int negated = programs[program]->table.entry_negated[entry];
    if (negated == 2) return numbers[place] != 0.0 ? 0.0 : 1.0;
    return negated ? -numbers[place] : numbers[place];
}

static void load(@NAME@ *s)
{
    for (int k = 0; k < N_PROGRAMS; k++) {
        const struct @NAME@_program *const p = programs[k];
        double *const m = s->m + p->first;
        memcpy(m, p->table.numbers_at_start, p->memory * sizeof *m);
        memcpy(m + p->narrow_bands, p->table.bands_at_start, N_RELATIONS * sizeof *m);
    }
    GO_TO(s, 0);
}

/* The model is told the value of an input; whether that is another one. */
static int tell_input(@NAME@ *s, int entry, double value)
{
    const int differs = NUMBERS(s)[s->program->table.entry_told[entry]] != value;
    for (int k = 0; k < N_PROGRAMS; k++) s->m[programs[k]->first + programs[k]->table.entry_told[entry]] = value;
    return differs;
}

/* A parameter gets another value, in all programs. */
static int tell_parameter(@NAME@ *s, int entry, double value)
{
    for (int k = 0; k < N_PROGRAMS; k++) {
        const struct @NAME@_program *const p = programs[k];
        double *const m = s->m + p->first;
        if (p->table.entry_places[entry] < 0) continue;
        m[p->table.entry_places[entry]] = value;
        if (p->table.entry_overridden[entry]) m[p->table.entry_overridden[entry]] = 1.0;
        const int status = p->routine.parameters(m);
        if (status) return status;
        memcpy(m + p->narrow_bands, m + p->bands, N_RELATIONS * sizeof *m);
    }
    return 0;
}

/* The equations are told how long steps are. */
static int tell_step(@NAME@ *s, double step)
{
    for (int k = 0; k < N_PROGRAMS; k++) {
        const struct @NAME@_program *const p = programs[k];
        double *const m = s->m + p->first;
        if (!p->step_parameter) continue;
        m[p->step_parameter] = step;
        const int status = p->routine.parameters(m);
        if (status) return status;
    }
    return 0;
}

/* What a status of a routine means. */
static const char *failure_text(const @NAME@ *s)
{
    const struct @NAME@_program *const p = programs[s->failed_by];
    for (int k = 0; k < p->n_failures; k++)
        if (p->table.failures[k] == s->failed_status) return p->table.failure_texts[k];
    return "a function, or a subscript, fails";
}

static const char *check_text(const @NAME@ *s)
{
    return programs[s->failed_by]->table.check_texts[s->check];
}
