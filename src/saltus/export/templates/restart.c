/* ------------------------------------------------------------------------------------------------------------
 * The start anew: start values, the initial system, the event at the start.
 * --------------------------------------------------------------------------------------------------------- */

static void copy_presumed(double *m)
{
    for (int k = 0; k < N_PRESUMED_PAIRS; k++) m[presumed_pairs[k][0]] = m[presumed_pairs[k][1]];
}

/* Values before the start are those of the start; residues that speak of them jump with that. */
static int remember_start(@NAME@ *s)
{
    double *const m = s->m;
    double residues[ROOM(N_RELATIONS)];
    int moving = 0;
    memcpy(m + PRE_DISCRETES, m + DISCRETES, N_DISCRETES * sizeof *m);
    memcpy(m + PRE_STATES, m + STATES, N_STATES * sizeof *m);
    memcpy(residues, m + RESIDUES, N_RELATIONS * sizeof *m);
    for (int k = 0; k < N_RELATIONS; k++) moving = moving || moving_zero[k];
    if (!moving) return 0;
    const int status = do_relations(m);
    if (status) return status;
    for (int k = 0; k < N_RELATIONS; k++) {
        const double residue = m[RESIDUES + k];
        if (!moving_zero[k] || residue == residues[k]) continue;
        const int outside = fabs(residue) > m[BANDS + k];
        m[SIGNS + k] = outside ? sign_of(residue) : 0.0;
        if (of_step[k] || !outside)
            m[RELATIONS + k] = m[SIGNS + k] > 0.0 ? above[k] : m[SIGNS + k] < 0.0 ? 1.0 - above[k] : of_zero[k];
        if (!outside) m[ZERO_SINCE + k] = m[TIME];
    }
    return 0;
}

@NAME@_status @NAME@_restart(@NAME@ *s)
{
    double *const m = s->m;
    const double step = s->step, stop = s->stop;
    memcpy(s->before, m, sizeof s->before); /* for the parameters */
    memcpy(s->best, numbers_at_start, sizeof numbers_at_start);
    memcpy(s->best + PARAMETERS, m + PARAMETERS, N_PARAMETERS * sizeof *m);
    memcpy(s->best + OVERRIDDEN, m + OVERRIDDEN, N_OVERRIDDEN * sizeof *m);
    memcpy(m, s->best, sizeof s->best);
    memset(m + KNOWN_STRUCTURE, 0, N_KNOWN_STRUCTURE * sizeof *m);
    for (int k = 0; k < N_RELATIONS; k++) m[ZERO_SINCE + k] = -INFINITY;
    memset(m + SIGNS, 0, N_RELATIONS * sizeof *m);
    m[TIME] = START_TIME;
    s->status = @NAME@_OK;
    s->steps = s->events = s->warnings = 0;
    s->fresh = s->regular = s->restart = s->ended = 0;
    int status = do_parameters(m);
    if (status) return failed(s, @NAME@_NO_SOLUTION, status);
    note_bands(m);
    do_start_values(m);
    memcpy(m + PRE_STATES, m + STATES, N_STATES * sizeof *m);
    memcpy(m + PRE_DISCRETES, m + DISCRETES, N_DISCRETES * sizeof *m);
    for (int k = 0; k < N_LEFT_LIMITS; k++) m[left_limits[k][0]] = m[left_limits[k][1]];
    copy_presumed(m);
    m[INITIAL] = 1.0;
    if (do_relations(m) == 0) {
        for (int k = 0; k < N_RELATIONS; k++) {
            const double residue = m[RESIDUES + k];
            m[RELATIONS + k] = residue > 0.0 ? above[k] : residue < 0.0 ? 1.0 - above[k] : of_zero[k];
        }
    }
    memcpy(s->elsewhere, m, sizeof s->elsewhere);
    s->initial = 1;
    status = settle(s);
    if (status) { /* once more, with continuation */
        memcpy(m, s->elsewhere, sizeof s->elsewhere);
        m[CONTINUATION] = 1.0;
        status = settle(s);
        m[CONTINUATION] = 0.0;
    }
    s->initial = 0;
    m[INITIAL] = 0.0;
    if (!status) status = remember_start(s);
    if (status) return failed(s, @NAME@_NO_SOLUTION, status);
    for (int k = 0; k < N_CLOCKS; k++) s->next_tick[k] = ticks_before_start[k];
    s->step = step;
    s->stop = INFINITY;
    s->now = s->begun = s->reached = s->origin = START_TIME;
    memcpy(s->end_states, m + STATES, N_STATES * sizeof *m);
    const @NAME@_status code = event(s, START_TIME, 0);
    s->stop = stop;
    s->events = s->event = s->restart = 0;
    if (code != @NAME@_OK) return code;
    do_relations(m);
    return @NAME@_OK;
}
