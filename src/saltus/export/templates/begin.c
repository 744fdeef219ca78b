/* ------------------------------------------------------------------------------------------------------------
 * The start, and what may be set.
 * --------------------------------------------------------------------------------------------------------- */

@NAME@_status @NAME@_init(@NAME@ *s)
{
    memset(s, 0, sizeof *s);
    load(s);
    double *const m = NUMBERS(s);
    memcpy(s->left, m, MEMORY * sizeof *m);
    memcpy(s->end_states, m + STATES, N_STATES * sizeof *m);
    memcpy(s->next_tick, ticks_at_start, sizeof s->next_tick);
    memcpy(s->tick_interval, tick_intervals, sizeof s->tick_interval);
    s->now = s->begun = s->reached = s->origin = m[TIME];
    s->step = STEP_AT_START;
    s->stop = INFINITY;
    s->probe = 1;
    do_relations(m);
    return @NAME@_OK;
}

@NAME@_status @NAME@_set(@NAME@ *s, int entry, double value)
{
    if (entry < 0 || entry >= @NAME@_N_ENTRIES || !(value > -INFINITY && value < INFINITY)) return @NAME@_REFUSED;
    const @NAME@_entry *const e = &@NAME@_entries[entry];
    if (!e->settable) return @NAME@_REFUSED;
    if (e->told) {
        if (tell_input(s, entry, value)) s->woken = 1;
        return @NAME@_OK;
    }
    int status = tell_parameter(s, entry, value);
    if (!status) status = compute(s, NUMBERS(s)[TIME]);
    if (status) return failed(s, @NAME@_NO_SOLUTION, status);
    s->probe = 1;
    return @NAME@_OK;
}

const char *@NAME@_text(const @NAME@ *s)
{
    switch (s->status) {
    case @NAME@_OK: return "all is well";
    case @NAME@_FINISHED: return "the stop time is reached";
    case @NAME@_ENDED: return "the model has ended itself";
    case @NAME@_ASSERTION: return check_text(s);
    case @NAME@_NO_SOLUTION: return failure_text(s);
    case @NAME@_EVENT_FAILED: return "an event does not come to an end: no mode is consistent";
    case @NAME@_UNLISTED_MODE: return "a mode with equations of its own, which is not in this code";
    default: return "refused";
    }
}
