/* ------------------------------------------------------------------------------------------------------------
 * Steps of a fixed length. The formula of the method is a part of the equations above; what is left to be done
 * is to bring all states to the end of the step: state := state + width * derivative. Relations are looked at
 * where a step ends. Where one has the other truth there, an event happens at that time.
 * --------------------------------------------------------------------------------------------------------- */

/* Notes what has failed, and where. */
static @NAME@_status failed(@NAME@ *s, @NAME@_status code, int status)
{
    s->failed_status = status;
    s->failed_by = HERE(s);
    s->status = code;
    return code;
}

/* All values and the residues of relations, with the states in the memory, at time t. */
static int compute(@NAME@ *s, double t)
{
    double *const m = NUMBERS(s);
    m[TIME] = t;
    const int status = do_outputs(m);
    if (status) return status;
    do_relations(m);
    return 0;
}

/* Time and states inside the last step, on the straight way between its ends, or at its end. */
static void arrive(@NAME@ *s, double t)
{
    double *const m = NUMBERS(s), *const states = m + STATES;
    m[TIME] = t;
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
    double *const m = NUMBERS(s), *const states = m + STATES, *const rates = m + DERIVATIVES;
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
    double *const m = NUMBERS(s);
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
    memcpy(s->end_states, NUMBERS(s) + STATES, N_STATES * sizeof *s->end_states);
}

/* What was held follows the formula of a step again. */
static void release_held(@NAME@ *s)
{
    if (AHEAD && NUMBERS(s)[AHEAD] != WEIGHT * s->step) weigh(s, WEIGHT * s->step, 0);
}

/* ------------------------------------------------------------------------------------------------------------
 * Relations. Each compares a residue with zero; inside of its band a residue counts as zero.
 * --------------------------------------------------------------------------------------------------------- */

/* On which side each relation is presumed to be, and how far beyond zero it may be without having crossed. */
static void take_sides(@NAME@ *s)
{
    double *const m = NUMBERS(s);
    for (int j = 0; j < N_WATCHED; j++) {
        const int k = watched[j];
        const double own = bands_by_truth[2*j + (m[RELATIONS + k] != 0.0)];
        if (own > 0.0) m[NARROW_BANDS + k] = m[BANDS + k] = own;
    }
    for (int j = 0; j < N_WATCHED; j++) {
        const int k = watched[j];
        const int known = m[SIGNS + k] != 0.0;
        s->side[j] = m[RELATIONS + k] == truth_above[j] ? 1.0 : -1.0;
        s->allowance[j] = known ? 0.0 : m[BANDS + k];
        s->at_zero[j] = known && m[RELATIONS + k] != truth_of_zero[j];
        if (known) m[BANDS + k] = m[NARROW_BANDS + k];
    }
    if (INSTANT >= 1.0) return;
    for (int j = 0; j < N_WATCHED; j++) {
        if (s->allowance[j] != 0.0) {
            const int k = watched[j];
            s->allowance[j] = greatest(s->allowance[j] * INSTANT, m[NARROW_BANDS + k]);
            m[BANDS + k] = s->allowance[j];
        }
    }
}

static double margin(const @NAME@ *s, int j)
{
    return NUMBERS(s)[RESIDUES + watched[j]] * s->side[j] + s->allowance[j];
}

static int crossed(double margin, int at_zero)
{
    return margin < 0.0 || (margin == 0.0 && at_zero);
}

/* Whether a relation has crossed at the end of the step; directions are left in the memory. */
static int crosses(@NAME@ *s)
{
    double *const m = NUMBERS(s);
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
            m[BANDS + k] = m[NARROW_BANDS + k];
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
    memcpy(s->end_states, NUMBERS(s) + STATES, N_STATES * sizeof *s->end_states);
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
        const double time = NUMBERS(s)[CROSSING_TIMES + timed[j]];
        if (time > s->now && time < found) found = time;
    }
    return found <= s->stop ? found : INFINITY;
}

/* What is presumed at the left limits, which are in the memory: clocks tick, what has crossed has the truth of
 * the side that it moves to. */
static void begin_event(@NAME@ *s, double t, int crossing)
{
    double *const m = NUMBERS(s);
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
    const double *const m = NUMBERS(s);
    do_checks(NUMBERS(s));
    for (int k = 0; k < N_CHECKS; k++) {
        if (m[CHECKS + k] == 0.0) continue;
        s->check = k;
        if (!check_warns[k]) return failed(s, @NAME@_ASSERTION, 0);
        s->warnings++;
    }
    for (int k = 0; k < N_ENDINGS; k++)
        if (m[ENDINGS + k] != 0.0) s->ended = 1;
    return @NAME@_OK;
}

/* Rounds: truths and values agree (settle), new values become old ones (commit), until nothing changes. */
static @NAME@_status rounds(@NAME@ *s)
{
    for (int done = 0; done < MOST_ROUNDS; done++) {
        const @NAME@_status decided = decide(s, s->rounds++);
        if (decided != @NAME@_OK) return decided;
        double *const m = NUMBERS(s);
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

/* From the left limits to the values after the event. */
static @NAME@_status pass_through(@NAME@ *s, double t, int crossing)
{
    s->searched = s->rounds = 0;
    before_event(s);
    begin_event(s, t, crossing);
    @NAME@_status code = rounds(s);
    if (code != @NAME@_OK || !s->ticking) return code;
    for (int k = 0; k < N_CLOCKS; k++)
        if (s->ticks[k]) NUMBERS(s)[CLOCKS + k] = 0.0;
    return rounds(s);
}

/* An event that does not go on leaves the left limits. */
static void undo(@NAME@ *s)
{
    GO_TO(s, LEFT_BY(s));
    memcpy(NUMBERS(s), s->left, MEMORY * sizeof *s->left);
}

/* All that happens at t. The left limits stay in `left`. */
static @NAME@_status event(@NAME@ *s, double t, int crossing)
{
    double *m = NUMBERS(s);
    m[TIME] = t;
    s->now = t;
    memcpy(m + STATES, s->end_states, N_STATES * sizeof *m);
    const int status = do_outputs(m);
    if (status) return failed(s, @NAME@_NO_SOLUTION, status);
    do_relations(m);
    memcpy(s->left, m, MEMORY * sizeof *m);
    const long long warnings = s->warnings;
    const int ended = s->ended;
    leave(s);
    @NAME@_status code = pass_through(s, t, crossing);
    if (leads_elsewhere(s, code)) {
        undo(s);
        s->warnings = warnings;
        s->ended = ended;
        code = pass_through(s, t, crossing);
    }
    if (code != @NAME@_OK) {
        undo(s);
        return code;
    }
    m = NUMBERS(s);
    for (int k = 0; k < N_CLOCKS; k++)
        if (s->ticks[k]) s->next_tick[k] += s->tick_interval[k];
    m[CONTINUATION] = 0.0;
    after_event(s);
    if (s->searched) do_relations(m);
    int anew = HERE(s) != LEFT_BY(s);
    for (int k = 0; k < N_RELATIONS; k++) m[DIRECTIONS + k] = 0.0;
    for (int k = 0; !anew && k < N_STATES; k++) anew = m[STATES + k] != s->left[STATES + k];
    for (int k = 0; !anew && k < N_MODE_SLOTS; k++) anew = m[mode_slots[k]] != s->left[mode_slots[k]];
    memcpy(s->end_states, m + STATES, N_STATES * sizeof *m);
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
    const int status = do_outputs(NUMBERS(s));
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
    return value_of(s, entry, NUMBERS(s), HERE(s));
}

double @NAME@_get_left(const @NAME@ *s, int entry)
{
    if (entry < 0 || entry >= @NAME@_N_ENTRIES) return NAN;
    if (@NAME@_entries[entry].kind == @NAME@_PARAMETER) return @NAME@_get(s, entry);
    return value_of(s, entry, s->left, LEFT_BY(s));
}

@NAME@_status @NAME@_set_step(@NAME@ *s, double step)
{
    if (!(step > 0.0 && step < INFINITY)) return @NAME@_REFUSED;
    s->origin = s->now;
    s->step = step;
    s->regular = 0;
    return tell_step(s, step) ? failed(s, @NAME@_NO_SOLUTION, 0) : @NAME@_OK;
}
