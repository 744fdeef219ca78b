/* ------------------------------------------------------------------------------------------------------------
 * The start, and what may be set.
 * --------------------------------------------------------------------------------------------------------- */

@NAME@_status @NAME@_init(@NAME@ *s)
{
    memset(s, 0, sizeof *s);
    memcpy(s->m, numbers_at_start, sizeof numbers_at_start);
    memcpy(s->left, s->m, sizeof s->left);
    memcpy(s->end_states, s->m + STATES, N_STATES * sizeof *s->m);
    memcpy(s->narrow_bands, bands_at_start, sizeof s->narrow_bands);
    memcpy(s->band_by_truth, bands_by_truth, sizeof s->band_by_truth);
    memcpy(s->next_tick, ticks_at_start, sizeof s->next_tick);
    memcpy(s->tick_interval, tick_intervals, sizeof s->tick_interval);
    s->now = s->begun = s->reached = s->origin = s->m[TIME];
    s->step = STEP_AT_START;
    s->stop = INFINITY;
    s->probe = 1;
    do_relations(s->m);
    return @NAME@_OK;
}

@NAME@_status @NAME@_set(@NAME@ *s, int entry, double value)
{
    if (entry < 0 || entry >= @NAME@_N_ENTRIES || !(value > -INFINITY && value < INFINITY)) return @NAME@_REFUSED;
    const @NAME@_entry *const e = &@NAME@_entries[entry];
    if (!e->settable) return @NAME@_REFUSED;
    if (e->told) {
        s->woken = s->woken || s->m[e->told] != value;
        s->m[e->told] = value;
        return @NAME@_OK;
    }
    s->m[e->place] = value;
    if (e->overridden) s->m[e->overridden] = 1.0;
    int status = do_parameters(s->m);
    if (!status) status = compute(s, s->m[TIME]);
    if (status) return failed(s, @NAME@_NO_SOLUTION, status);
    memcpy(s->narrow_bands, s->m + BANDS, N_RELATIONS * sizeof *s->m);
    s->probe = 1;
    return @NAME@_OK;
}

const char *@NAME@_text(const @NAME@ *s)
{
    switch (s->status) {
    case @NAME@_OK: return "all is well";
    case @NAME@_FINISHED: return "the stop time is reached";
    case @NAME@_ENDED: return "the model has ended itself";
    case @NAME@_ASSERTION: return check_texts[s->check];
    case @NAME@_NO_SOLUTION:
        for (int k = 0; k < N_FAILURES; k++)
            if (failures[k] == s->failed_status) return failure_texts[k];
        return "a function, or a subscript, fails";
    case @NAME@_EVENT_FAILED: return "an event does not come to an end: no mode is consistent";
    case @NAME@_UNLISTED_MODE: return "a mode with equations of its own, which is not in this code";
    default: return "refused";
    }
}
