/* ------------------------------------------------------------------------------------------------------------
 * How a round is decided where modes have different equations: the next mode is the one whose relations agree
 * with the values that it produces. With the left limits frozen, a mode is presumed, first the old one with what
 * has crossed, and entered tentatively: impulses, values and derivatives say what relations are there, until a
 * mode reproduces itself. One program follows all of these modes.
 * --------------------------------------------------------------------------------------------------------- */

/* Copies all that an event may change. */
static void keep(double *target, const double *source)
{
    target[TIME] = source[TIME];
    memcpy(target + STATES, source + STATES, (MEMORY - STATES) * sizeof *target);
}

/* Whether the program follows the mode that the guards belong to. */
static int belongs(const @NAME@ *s)
{
    for (int row = 0; row < N_KNOWN_MODES; row++) {
        int same = 1;
        for (int k = 0; k < N_MODE_GUARDS; k++)
            same = same && s->m[mode_guards[k]] == known_modes[row * N_MODE_GUARDS + k];
        if (same) return 1;
    }
    return 0;
}

/* The left limits once more, with the truths that are presumed. */
static void take_left(@NAME@ *s)
{
    double *const m = s->m, *const frozen = s->frozen;
    for (int k = 0; k < N_LEFT; k++) m[left_to[k]] = frozen[left_from[k]];
    for (int k = 0; k < N_LACKING; k++) m[lacking[k]] = NAN;
    if (HOLDS) do_parameters(m);
    for (int k = 0; k < N_CONTINUOUS_MOVES; k++) m[continuous_to[k]] = frozen[continuous_from[k]];
    for (int k = 0; k < N_PRESUMED_MOVES; k++) m[presumed_at[k]] = m[presumed_of[k]];
    do_forget(m);
    for (int k = 0; k < N_DECIDING; k++) m[ZERO_SINCE + deciding[k]] = m[TIME];
    memcpy(m + BANDS, frozen + BANDS, N_OWN_RELATIONS * sizeof *m);
    for (int k = 0; k < N_INERT_HELD; k++) {
        const int i = inert_held[k];
        m[RELATION_IMPULSES + i] = m[RELATIONS + i] == above[i] ? 1.0 : -1.0;
    }
}

/* What was held is compared with the states of a mode that has reproduced itself. */
static int release(@NAME@ *s)
{
    if (!N_INERT_HELD) return 1;
    for (int k = 0; k < N_INERT_HELD; k++) s->m[RELATION_IMPULSES + inert_held[k]] = 0.0;
    s->m[SCRATCH] = 0.0;
    do_settle_update(s->m);
    return s->m[SCRATCH] == 0.0;
}

static int is_finite(const @NAME@ *s)
{
    double total = 0.0;
    for (int k = 0; k < N_CONTINUOUS; k++) total += s->m[CONTINUOUS + k] * 0.0;
    return total == 0.0;
}

/* Whether the equations that a mode has in excess hold. */
static int holds(@NAME@ *s)
{
    if (!N_EXCESS) return 1;
    do_checks(s->m);
    for (int k = 0; k < N_EXCESS; k++)
        if (s->m[CHECKS + excess[k]] != 0.0) return 0;
    return 1;
}

/* Time and states a small step further, along the derivatives, from where the memory was. */
static void ahead(@NAME@ *s, const double *origin, double step)
{
    s->m[TIME] = origin[TIME] + step;
    for (int k = 0; k < N_STATES; k++) s->m[STATES + k] = origin[STATES + k] + step * origin[DERIVATIVES + k];
}

static int is_good_ahead(@NAME@ *s, double step)
{
    ahead(s, s->before, step);
    return do_evaluate(s->m) == 0 && is_finite(s) && holds(s);
}

/* Whether nothing is wrong with the values, now or a moment later. */
static int is_sound(@NAME@ *s, int status)
{
    if (status || !is_finite(s) || !holds(s)) return 0;
    for (int k = 0; k < N_NONLINEAR; k++)
        if (s->m[nonlinear[k]] != 0.0) return 0;
    int doubtful = N_EXCESS > 0;
    for (int k = 0; k < N_WATCHED_GUARDS; k++)
        doubtful = doubtful || s->m[SIGNS + watched_guards[k]] == 0.0;
    if (!doubtful) return 1;
    keep(s->before, s->m);
    int good = is_good_ahead(s, DRIFT);
    if (good && N_EXCESS) {
        keep(s->m, s->before);
        good = is_good_ahead(s, PARTED);
    }
    keep(s->m, s->before);
    return good;
}

/* Residues a small step further, in `residues_ahead`, and a small step back, in the memory. */
static int moved(@NAME@ *s, const double *origin)
{
    ahead(s, origin, DRIFT);
    int fails = do_crossings(s->m) != 0;
    memcpy(s->residues_ahead, s->m + RESIDUES, N_OWN_RELATIONS * sizeof *s->m);
    keep(s->m, origin);
    ahead(s, origin, -DRIFT);
    fails = do_crossings(s->m) != 0 || fails;
    return !fails;
}

static double move_of(const @NAME@ *s, int k)
{
    return (s->residues_ahead[k] - s->m[RESIDUES + k]) / 2.0;
}

static int is_moving(const @NAME@ *s, int k)
{
    return s->moves[k] > 0.0 || s->moves[k] < 0.0;
}

/* How relations whose residue is zero move, in `moves`: 0 where that is not clear, NAN where they are not zero.
 * Whether there are any. */
static int lean(@NAME@ *s)
{
    int zeros = 0;
    for (int k = 0; k < N_OWN_RELATIONS; k++) s->moves[k] = NAN;
    for (int k = 0; k < N_DECIDING; k++) zeros += s->m[SIGNS + deciding[k]] == 0.0;
    if (!zeros) return 0;
    keep(s->before, s->m);
    const int known = moved(s, s->before);
    for (int i = 0; known && i < N_DECIDING; i++) {
        const int k = deciding[i];
        if (s->before[SIGNS + k] != 0.0) continue;
        const double move = move_of(s, k);
        s->moves[k] = fabs(move) <= CLEAR * s->narrow_bands[k] ? 0.0 : move;
    }
    keep(s->m, s->before);
    return known;
}

/* States that are off by a part of their values: in one of the tries any two that have to do with each other
 * are off in opposite directions. */
static void be_off(@NAME@ *s, double part, int digit, double way)
{
    for (int k = 0; k < N_STATES; k++) {
        const double x = s->before[STATES + k];
        const double sign = numbers_in_parts[k] % (digit * 2) < digit ? way : -way;
        s->m[STATES + k] = x + sign * (part * fabs(x));
    }
}

/* What moves otherwise where the states are off by the errors that the tolerance allows has no clear move. */
static void be_certain(@NAME@ *s)
{
    int moving = 0;
    for (int i = 0; i < N_DECIDING; i++) moving = moving || is_moving(s, deciding[i]);
    if (!moving) return;
    keep(s->before, s->m);
    for (int digit = 1;; digit *= 2) {
        for (int back = 0; back < 2; back++) {
            be_off(s, ROOM_IN_ERRORS * TOLERANCE, digit, back ? -1.0 : 1.0);
            int computed = do_evaluate(s->m) == 0;
            if (computed) {
                keep(s->elsewhere, s->m);
                computed = moved(s, s->elsewhere);
            }
            for (int i = 0; computed && i < N_DECIDING; i++) {
                const int k = deciding[i];
                if (!is_moving(s, k)) continue;
                const double there = s->moves[k] > 0.0 ? move_of(s, k) : -move_of(s, k);
                if (!(there > CLEAR * s->narrow_bands[k])) s->moves[k] = 0.0;
            }
            keep(s->m, s->before);
        }
        if (digit >= MOST_IN_PART) return;
    }
}

/* Whether relation k asks for states alone and has crossed. */
static int came(const @NAME@ *s, int k)
{
    return inert[k] && s->m[DIRECTIONS + k] != 0.0;
}

/* Relations that are zero, but clearly move to the side where they have the other truth, get it. How many. */
static int turn_leaning(@NAME@ *s)
{
    int count = 0;
    if (!lean(s)) return 0;
    for (int i = 0; i < N_DECIDING; i++) {
        const int k = deciding[i];
        const double there = s->moves[k] > 0.0 ? above[k] : 1.0 - above[k];
        if (is_moving(s, k) && (came(s, k) || s->m[RELATIONS + k] == there)) s->moves[k] = 0.0;
    }
    be_certain(s);
    for (int i = 0; i < N_DECIDING; i++) {
        const int k = deciding[i];
        const double truth = s->m[RELATIONS + k];
        const double there = s->moves[k] > 0.0 ? above[k] : 1.0 - above[k];
        const double right = came(s, k) ? s->frozen[RELATIONS + k] : there;
        const int moving = is_moving(s, k) || (came(s, k) && s->moves[k] == 0.0);
        if (moving && truth != right && s->turned[k] < MOST_TURNS) {
            s->turned[k]++;
            s->m[RELATIONS + k] = 1.0 - truth;
            s->m[ZERO_SINCE + k] = s->m[TIME];
            count++;
        }
    }
    return count;
}

/* The mode has been chosen: states exactly as the entry has them. Whether nothing has an impulse. */
static int accept(@NAME@ *s)
{
    double *const m = s->m;
    if (!HAS_ENTRY) return 1;
    for (int k = 0; k < N_IMPULSES; k++)
        if (m[impulses[k]] != 0.0) return 0;
    m[EXACT] = 1.0;
    if (do_entry(m) || do_evaluate(m) || do_relations(m) || do_books(m)) return 0;
    for (int k = 0; k < N_RELATION_IMPULSES; k++) m[RELATION_IMPULSES + k] = 0.0;
    for (int k = 0; k < N_IMPULSES; k++) m[impulses[k]] = 0.0;
    return 1;
}

/* Truths follow from values, as long as the guards belong to the program: whether they agree in the end. */
static int settle_truths(@NAME@ *s, int *is_entered)
{
    double *const m = s->m;
    *is_entered = 0;
    if (HAS_ENTRY) m[EXACT] = 0.0;
    for (int passes = 0; passes < MOST_MODE_PASSES; passes++) {
        if (N_LOWER) do_lower(m);
        for (int k = 0; k < N_LOWER; k++)
            if (!(fabs(m[LOWER + 2*k]) <= PROJECTED * m[LOWER + 2*k + 1])) return 0;
        for (int k = 0; HAS_ENTRY && passes == 0 && k < N_LEFTS; k++)
            if (isnan(m[LEFTS + k])) m[LEFTS + k] = 0.0; /* what was computed nowhere begins with its jump */
        memcpy(s->discretes_before, m + DISCRETES, N_DISCRETES * sizeof *m);
        m[CONTINUATION] = 1.0;
        const int status = do_enter(m);
        m[CONTINUATION] = 0.0;
        if (!belongs(s) || !is_sound(s, status)) return 0;
        m[SCRATCH] = 0.0;
        do_relations(m);
        do_settle_update(m);
        *is_entered = 1;
        if (!belongs(s)) return 0;
        int agree = m[SCRATCH] == 0.0;
        /* The entry comes before discrete variables have followed, and may depend on them. */
        for (int k = 0; HAS_ENTRY && k < N_DISCRETES; k++)
            agree = agree && m[DISCRETES + k] == s->discretes_before[k];
        if (agree) return 1;
    }
    return 0;
}

/* The mode that reproduces itself. */
static @NAME@_status choose_mode(@NAME@ *s)
{
    int is_entered;
    memcpy(s->frozen, s->m, sizeof s->frozen);
    memset(s->turned, 0, sizeof s->turned);
    for (int modes = 0; modes < MOST_MODES; modes++) {
        if (!belongs(s)) return failed(s, @NAME@_UNLISTED_MODE, 0);
        take_left(s);
        if (!settle_truths(s, &is_entered))
            return failed(s, belongs(s) ? @NAME@_EVENT_FAILED : @NAME@_UNLISTED_MODE, 0);
        if (!belongs(s)) return failed(s, @NAME@_UNLISTED_MODE, 0);
        if (release(s) && turn_leaning(s) == 0) {
            if (!accept(s)) return failed(s, @NAME@_EVENT_FAILED, 0);
            return @NAME@_OK;
        }
    }
    return failed(s, @NAME@_EVENT_FAILED, 0);
}

/* Whether nothing is decided anew in a further round. If so, all values are computed; if not, the memory is as it
 * was. */
static int stays_settled(@NAME@ *s)
{
    double *const m = s->m;
    for (int k = 0; k < N_JUMPED; k++)
        if (m[JUMPED + k] != 0.0) return 0;
    keep(s->before, m);
    int same = do_settle(m) == 0 && belongs(s) && is_finite(s);
    for (int k = 0; k < N_OWN_RELATIONS; k++) same = same && m[RELATIONS + k] == s->before[RELATIONS + k];
    for (int k = 0; HAS_ENTRY && k < N_DISCRETES; k++)
        same = same && m[DISCRETES + k] == s->before[DISCRETES + k];
    if (!same) {
        keep(m, s->before);
        return 0;
    }
    for (int k = 0; k < N_IMPULSES; k++) m[impulses[k]] = 0.0;
    return 1;
}

static @NAME@_status decide(@NAME@ *s, int done)
{
    if (!(done && stays_settled(s))) {
        const @NAME@_status chosen = choose_mode(s);
        if (chosen != @NAME@_OK) return chosen;
    }
    for (int k = 0; k < N_OWN_RELATIONS; k++) s->m[DIRECTIONS + k] = 0.0;
    return @NAME@_OK;
}

/* What follows from states that were reinitialised goes with them. */
static int carry(@NAME@ *s)
{
    int jumped = 0;
    for (int k = 0; CARRIES && k < N_JUMPED; k++) jumped = jumped || s->m[JUMPED + k] != 0.0;
    return !jumped || do_outputs(s->m) == 0;
}

/* Relations that are away from zero have bands as usual. */
static void leave_room(@NAME@ *s)
{
    for (int k = 0; k < N_OWN_RELATIONS; k++)
        if (s->m[SIGNS + k] != 0.0) s->m[BANDS + k] = s->narrow_bands[k];
}

static void before_event(@NAME@ *s)
{
    leave_room(s);
}

/* How much residues differ where states are off by a part of their values, in `errors`. */
static void errors_of_states(@NAME@ *s, double share)
{
    keep(s->before, s->m);
    for (int k = 0; k < N_OWN_RELATIONS; k++) s->errors[k] = 0.0;
    for (int digit = 1;; digit *= 2) {
        be_off(s, share, digit, 1.0);
        int known = do_crossings(s->m) == 0;
        memcpy(s->residues_ahead, s->m + RESIDUES, N_OWN_RELATIONS * sizeof *s->m);
        keep(s->m, s->before);
        be_off(s, share, digit, -1.0);
        known = do_crossings(s->m) == 0 && known;
        for (int k = 0; known && k < N_OWN_RELATIONS; k++)
            s->errors[k] = greatest(fabs(move_of(s, k)), s->errors[k]);
        keep(s->m, s->before);
        if (digit >= MOST_IN_PART) return;
    }
}

/* Where truths have changed: relations whose residues leave zero without speed, as far as that can be told,
 * count as zero as long as they are so within the errors that the tolerance allows. */
static void after_event(@NAME@ *s)
{
    int changed = 0, still = 0;
    leave_room(s);
    for (int i = 0; i < N_DECIDING; i++)
        changed = changed || s->m[RELATIONS + deciding[i]] != s->left[RELATIONS + deciding[i]];
    if (!changed || !lean(s)) return;
    be_certain(s);
    for (int i = 0; i < N_DECIDING; i++) still = still || s->moves[deciding[i]] == 0.0;
    if (!still) return;
    errors_of_states(s, TOLERANCE);
    for (int i = 0; i < N_DECIDING; i++) {
        const int k = deciding[i];
        if (s->moves[k] != 0.0) continue;
        const double room = greatest(s->narrow_bands[k] * WIDE, ROOM_IN_ERRORS * s->errors[k]);
        s->m[BANDS + k] = greatest(s->m[BANDS + k], room);
    }
}
