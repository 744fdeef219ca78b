/* ------------------------------------------------------------------------------------------------------------
 * Steps of a fixed length. The formula of the method is a part of the equations above; what is left to be done
 * is to bring all states to the end of the step: state := state + width * derivative. Relations are looked at
 * where a step ends. Where one has the other truth there, an event happens at that time.
 * --------------------------------------------------------------------------------------------------------- */

/* Notes what has failed, and where. */
static @NAME@_status failed(@NAME@ *s, @NAME@_status code, int status)
{
    s->failed_status = status;
    s->status = code;
    return code;
}

/* All values and the residues of relations, with the states in the memory, at time t. */
static int compute(@NAME@ *s, double t)
{
    double *const m = s->m;
    m[TIME] = t;
    const int status = do_outputs(m);
    if (status) return status;
    do_relations(m);
    return 0;
}

/* Time and states inside the last step, on the straight way between its ends, or at its end. */
static void arrive(@NAME@ *s, double t)
{
    double *const states = s->m + STATES;
    s->m[TIME] = t;
    if (t >= s->reached) {
        memcpy(states, s->end_states, N_STATES * sizeof *states);
        return;
    }
    const double part = (greatest(t, s->begun) - s->begun) / (s->reached - s->begun);
    for (int k = 0; k < N_STATES; k++)
        states[k] = s->old_states[k] + part * (s->end_states[k] - s->old_states[k]);
}

/* Time and states to the end of the next step, which is no later than the limit; all is computed there. */
static int advance(@NAME@ *s)
{
    double *const m = s->m, *const states = m + STATES, *const rates = m + DERIVATIVES;
    const double begun = s->now, weight = WEIGHT * s->step, near = s->step * SAME_PART;
    const int fresh = s->fresh;
    double end = s->origin + floor((begun - s->origin) / s->step + (1.0 + SAME_PART)) * s->step;
    if (fresh) end = begun + weight;
    if (end > s->limit - near) end = s->limit;
    const double width = end - begun;
    const int whole = fabs(width - s->step) <= near;
    memcpy(s->old_states, states, N_STATES * sizeof *states);
    if (!TWO_STEPS && !fresh) {
        for (int k = 0; k < N_STATES; k++) states[k] = states[k] + width * rates[k];
    } else {
        const int from_two = s->regular && whole;
        for (int k = 0; k < N_STATES; k++) {
            const double euler = states[k] + width * rates[k];
            const double inlined = states[k] + weight * rates[k];
            const double by_both = (4.0 * inlined - s->last_inlined[k]) / 3.0;
            s->last_inlined[k] = inlined;
            /* After an event the derivative of what has jumped says how it came there. */
            states[k] = fresh && carries[k] ? inlined : from_two && carries[k] ? by_both : euler;
        }
    }
    s->regular = whole;
    s->fresh = 0;
    s->begun = begun;
    s->steps++;
    memcpy(s->end_states, states, N_STATES * sizeof *states);
    s->reached = end;
    return compute(s, end);
}

/* Another weight of derivatives in the formulas x = c + weight*der(c) of what is held at events: x stays. */
static void weigh(@NAME@ *s, double weight, int briefly)
{
    double *const m = s->m;
    for (int k = 0; k < N_HELD; k++) {
        const double own = briefly ? WEIGHT * s->step * held_briefly[k] : weight;
        m[STATES + held_states[k]] = m[held_slots[k]] - own * m[DERIVATIVES + held_states[k]];
    }
    m[AHEAD] = weight;
    m[PRE_AHEAD] = weight;
}

/* Inlined variables that are held stay where they are during an event, as states do. */
static void hold(@NAME@ *s)
{
    if (AHEAD) weigh(s, 0.0, 1);
    memcpy(s->end_states, s->m + STATES, N_STATES * sizeof *s->end_states);
}

/* What was held follows the formula of a step again. */
static void release_held(@NAME@ *s)
{
    if (AHEAD && s->m[AHEAD] != WEIGHT * s->step) weigh(s, WEIGHT * s->step, 0);
}

/* ------------------------------------------------------------------------------------------------------------
 * Relations. Each compares a residue with zero; inside of its band a residue counts as zero.
 * --------------------------------------------------------------------------------------------------------- */

/* On which side each relation is presumed to be, and how far beyond zero it may be without having crossed. */
static void take_sides(@NAME@ *s)
{
    double *const m = s->m;
    for (int j = 0; j < N_WATCHED; j++) {
        const int k = watched[j];
        const double own = s->band_by_truth[j][m[RELATIONS + k] != 0.0];
        if (own > 0.0) s->narrow_bands[k] = m[BANDS + k] = own;
    }
    for (int j = 0; j < N_WATCHED; j++) {
        const int k = watched[j];
        const int known = m[SIGNS + k] != 0.0;
        s->side[j] = m[RELATIONS + k] == truth_above[j] ? 1.0 : -1.0;
        s->allowance[j] = known ? 0.0 : m[BANDS + k];
        s->at_zero[j] = known && m[RELATIONS + k] != truth_of_zero[j];
        if (known) m[BANDS + k] = s->narrow_bands[k];
    }
    if (INSTANT >= 1.0) return;
    for (int j = 0; j < N_WATCHED; j++) {
        if (s->allowance[j] != 0.0) {
            const int k = watched[j];
            s->allowance[j] = greatest(s->allowance[j] * INSTANT, s->narrow_bands[k]);
            m[BANDS + k] = s->allowance[j];
        }
    }
}

static double margin(const @NAME@ *s, int j)
{
    return s->m[RESIDUES + watched[j]] * s->side[j] + s->allowance[j];
}

static int crossed(double margin, int at_zero)
{
    return margin < 0.0 || (margin == 0.0 && at_zero);
}

/* Whether a relation has crossed at the end of the step; directions are left in the memory. */
static int crosses(@NAME@ *s)
{
    double *const m = s->m;
    int found = 0;
    for (int j = 0; j < N_WATCHED; j++) {
        const int k = watched[j];
        const int across = crossed(margin(s, j), s->at_zero[j]);
        m[DIRECTIONS + k] = across ? -s->side[j] : 0.0;
        found = found || across;
        const double room = s->allowance[j];
        if (room != 0.0 && m[RESIDUES + k] * s->side[j] > room) {
            m[SIGNS + k] = s->side[j];
            s->allowance[j] = 0.0;
            m[BANDS + k] = s->narrow_bands[k];
            s->at_zero[j] = m[RELATIONS + k] != truth_of_zero[j];
        }
    }
    return found;
}

/* The margins of all relations at a time inside the step; whether one has crossed there. */
static int margins_at(@NAME@ *s, double t, double *margins, int *status)
{
    int across = 0;
    arrive(s, t);
    *status = compute(s, t);
    for (int j = 0; j < N_WATCHED; j++) {
        margins[j] = margin(s, j);
        across = across || crossed(margins[j], s->at_zero[j]);
    }
    return across;
}

/* The step ends right behind the first crossing inside of it. */
static int locate(@NAME@ *s)
{
    double lo = s->begun, hi = s->reached;
    int status = 0;
    margins_at(s, hi, s->margins_hi, &status);
    if (status) return status;
    margins_at(s, lo, s->margins_lo, &status);
    if (status) return status;
    const double located = LOCATED * greatest(fabs(hi), fabs(lo));
    for (int tries = 1;; tries++) {
        const double gap = hi - lo;
        if (gap <= located) break;
        double most = 0.0;
        for (int j = 0; j < N_WATCHED; j++) {
            const double before = s->margins_lo[j], after = s->margins_hi[j];
            if (crossed(after, s->at_zero[j]) && before > after)
                most = greatest(most, after / (after - before));
        }
        const double part = tries % 3 == 0 ? gap * 0.5 : gap * most * (1.0 - PAST_SECANT);
        const double middle = hi - least(greatest(part, located * 0.5), gap - located * 0.5);
        const int across = margins_at(s, middle, s->margins_mid, &status);
        if (status) return status;
        if (across) hi = middle; else lo = middle;
        memcpy(across ? s->margins_hi : s->margins_lo, s->margins_mid, sizeof s->margins_mid);
    }
    arrive(s, hi);
    memcpy(s->end_states, s->m + STATES, N_STATES * sizeof *s->end_states);
    s->reached = hi;
    s->regular = 0;
    return compute(s, hi);
}

/* ------------------------------------------------------------------------------------------------------------
 * Events, from the left limits at an instant to the values after it.
 * --------------------------------------------------------------------------------------------------------- */

/* When the next clock ticks, or a relation of time crosses zero; never before `now`, INFINITY if not until the
 * run ends. */
static double next_event(const @NAME@ *s)
{
    double found = INFINITY;
    for (int k = 0; k < N_CLOCKS; k++)
        found = least((double)s->next_tick[k] / CLOCK_SCALE, found);
    for (int j = 0; j < N_TIMED; j++) {
        const double time = s->m[CROSSING_TIMES + timed[j]];
        if (time > s->now && time < found) found = time;
    }
    return found <= s->stop ? found : INFINITY;
}

/* What is presumed at the left limits, which are in the memory: clocks tick, what has crossed has the truth of
 * the side that it moves to. */
static void begin_event(@NAME@ *s, double t, int crossing)
{
    double *const m = s->m;
    m[CONTINUATION] = 1.0;
    do_depart(m);
    do_approach(m);
    if (crossing) do_presume(m);
    if (N_TIMED) do_fire(m);
    for (int k = 0; k < N_RELATIONS; k++) {
        const int changed = m[RELATIONS + k] != s->left[RELATIONS + k];
        const int moved = crossing && m[DIRECTIONS + k] != 0.0;
        if (moved || (changed && m[CROSSING_TIMES + k] <= t)) m[DIRECTIONS + k] = 1.0;
    }
    s->ticking = 0;
    for (int k = 0; k < N_CLOCKS; k++) {
        s->ticks[k] = (double)s->next_tick[k] / CLOCK_SCALE <= t;
        if (s->ticks[k]) {
            m[CLOCKS + k] = 1.0;
            s->ticking = 1;
        }
    }
}

/* Assertions that are violated in a round, and terminations: those in when-clauses hold no longer. */
static @NAME@_status look_at_checks(@NAME@ *s)
{
    if (!N_CHECKS && !N_ENDINGS) return @NAME@_OK;
    do_checks(s->m);
    for (int k = 0; k < N_CHECKS; k++) {
        if (s->m[CHECKS + k] == 0.0) continue;
        s->check = k;
        if (!check_warns[k]) return failed(s, @NAME@_ASSERTION, 0);
        s->warnings++;
    }
    for (int k = 0; k < N_ENDINGS; k++)
        if (s->m[ENDINGS + k] != 0.0) s->ended = 1;
    return @NAME@_OK;
}

/* Rounds: truths and values agree (settle), new values become old ones (commit), until nothing changes. */
static @NAME@_status rounds(@NAME@ *s)
{
    double *const m = s->m;
    for (int done = 0; done < MOST_ROUNDS; done++) {
        const @NAME@_status decided = decide(s, done);
        if (decided != @NAME@_OK) return decided;
        if (MOMENTARY) {
            const @NAME@_status checked = look_at_checks(s);
            if (checked != @NAME@_OK) return checked;
        }
        const int status = do_commit(m);
        if (status) return failed(s, @NAME@_NO_SOLUTION, status);
        if (!carry(s)) return failed(s, @NAME@_EVENT_FAILED, 0);
        m[SCRATCH] = 0.0;
        if (N_TIMED) do_fire(m);
        if (m[CHANGED] == 0.0 && m[SCRATCH] == 0.0) return @NAME@_OK;
    }
    return failed(s, @NAME@_EVENT_FAILED, 0);
}

/* An event that does not go on leaves the left limits. */
static @NAME@_status undone(@NAME@ *s, @NAME@_status code)
{
    memcpy(s->m, s->left, sizeof s->left);
    return code;
}

/* All that happens at t. The left limits stay in `left`. */
static @NAME@_status event(@NAME@ *s, double t, int crossing)
{
    double *const m = s->m;
    m[TIME] = t;
    s->now = t;
    memcpy(m + STATES, s->end_states, N_STATES * sizeof *m);
    int status = do_outputs(m);
    if (status) return failed(s, @NAME@_NO_SOLUTION, status);
    do_relations(m);
    memcpy(s->left, m, sizeof s->left);
    s->searched = 0;
    before_event(s);
    begin_event(s, t, crossing);
    @NAME@_status code = rounds(s);
    if (code != @NAME@_OK) return undone(s, code);
    if (s->ticking) {
        for (int k = 0; k < N_CLOCKS; k++) {
            if (!s->ticks[k]) continue;
            m[CLOCKS + k] = 0.0;
            s->next_tick[k] += s->tick_interval[k];
        }
        code = rounds(s);
        if (code != @NAME@_OK) return undone(s, code);
    }
    m[CONTINUATION] = 0.0;
    after_event(s);
    if (s->searched) do_relations(m);
    int anew = 0;
    for (int k = 0; k < N_RELATIONS; k++) m[DIRECTIONS + k] = 0.0;
    for (int k = 0; k < N_STATES; k++) anew = anew || m[STATES + k] != s->left[STATES + k];
    for (int k = 0; k < N_MODE_SLOTS; k++) anew = anew || m[mode_slots[k]] != s->left[mode_slots[k]];
    s->probe = 1;
    s->restart = anew && (N_STATES || N_WATCHED);
    s->events++;
    s->event = 1;
    return look_at_checks(s);
}

/* ------------------------------------------------------------------------------------------------------------
 * What is called from outside; see the header.
 * --------------------------------------------------------------------------------------------------------- */

/* Inputs have got other values: an event between two steps. */
static @NAME@_status wake(@NAME@ *s)
{
    s->woken = 0;
    arrive(s, s->now);
    const int status = compute(s, s->now);
    if (status) return failed(s, @NAME@_NO_SOLUTION, status);
    s->reached = s->now;
    hold(s);
    return event(s, s->now, 0);
}

@NAME@_status @NAME@_advance(@NAME@ *s)
{
    if (s->status > @NAME@_OK) return s->status;
    s->event = 0;
    if (s->ended) return s->status = @NAME@_ENDED;
    if (s->woken) {
        const @NAME@_status woken = wake(s);
        if (woken != @NAME@_OK) return woken;
        s->event = 0;
    }
    if (s->restart) {
        s->restart = 0;
        s->fresh = BEGINS_ANEW;
        s->regular = 0;
    }
    release_held(s);
    if (s->probe) {
        s->probe = 0;
        take_sides(s);
    }
    const double due = next_event(s);
    if (s->now >= s->stop && !(due <= s->now)) return @NAME@_FINISHED;
    s->limit = due <= s->stop ? due : s->stop;
    int status = advance(s);
    if (status) return failed(s, @NAME@_NO_SOLUTION, status);
    const int crossing = crosses(s);
    if (crossing && LOCATES) {
        status = locate(s);
        if (status) return failed(s, @NAME@_NO_SOLUTION, status);
        crosses(s);
    }
    const double end = s->reached;
    if (crossing || next_event(s) <= end) {
        hold(s);
        return event(s, end, crossing);
    }
    s->now = end;
    return look_at_checks(s);
}

@NAME@_status @NAME@_step(@NAME@ *s)
{
    const double near = s->step * SAME_PART;
    const double number = floor((s->now - s->origin) / s->step + (1.0 + SAME_PART));
    const double end = s->origin + number * s->step;
    do {
        const @NAME@_status code = @NAME@_advance(s);
        if (code != @NAME@_OK) return code;
    } while (s->now < end - near);
    return @NAME@_OK;
}

@NAME@_status @NAME@_outputs(@NAME@ *s)
{
    const int status = do_outputs(s->m);
    return status ? failed(s, @NAME@_NO_SOLUTION, status) : @NAME@_OK;
}

int @NAME@_find(const char *name)
{
    int low = 0, past = @NAME@_N_ENTRIES;
    while (low < past) {
        const int middle = low + (past - low) / 2;
        const int order = strcmp(@NAME@_entries[by_name[middle]].name, name);
        if (order == 0) return by_name[middle];
        if (order < 0) low = middle + 1; else past = middle;
    }
    return -1;
}

double @NAME@_get(const @NAME@ *s, int entry)
{
    if (entry < 0 || entry >= @NAME@_N_ENTRIES) return NAN;
    const @NAME@_entry *const e = &@NAME@_entries[entry];
    if (e->negated == 2) return s->m[e->place] != 0.0 ? 0.0 : 1.0;
    return e->negated ? -s->m[e->place] : s->m[e->place];
}

double @NAME@_get_left(const @NAME@ *s, int entry)
{
    if (entry < 0 || entry >= @NAME@_N_ENTRIES) return NAN;
    const @NAME@_entry *const e = &@NAME@_entries[entry];
    if (e->kind == @NAME@_PARAMETER) return s->m[e->place];
    if (e->negated == 2) return s->left[e->place] != 0.0 ? 0.0 : 1.0;
    return e->negated ? -s->left[e->place] : s->left[e->place];
}

@NAME@_status @NAME@_set_step(@NAME@ *s, double step)
{
    if (!(step > 0.0 && step < INFINITY)) return @NAME@_REFUSED;
    s->origin = s->now;
    s->step = step;
    s->regular = 0;
    if (STEP_PARAMETER) {
        s->m[STEP_PARAMETER] = step;
        if (do_parameters(s->m)) return failed(s, @NAME@_NO_SOLUTION, 0);
    }
    return @NAME@_OK;
}
