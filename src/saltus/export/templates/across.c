/* ------------------------------------------------------------------------------------------------------------
 * How a round is decided where modes have different equations: the next mode is the one whose relations agree
 * with the values that it produces. With the left limits frozen, a mode is presumed, first the old one with what
 * has crossed, and entered tentatively: impulses, values and derivatives say what relations are there, until a
 * mode reproduces itself. A mode belongs to a program by what its guards are.
 * --------------------------------------------------------------------------------------------------------- */

/* Copies all that an event may change. */
static void keep(const @NAME@ *s, double *target, const double *source)
{
    (void)s;
    target[TIME] = source[TIME];
    memcpy(target + STATES, source + STATES, (MEMORY - STATES) * sizeof *target);
}

/* The program to which the guards belong: the one that takes for granted what they are, as far as anything is taken
 * for granted where they are so. NOWHERE if it is not in this code. */
static int belonging(const @NAME@ *s)
{
    const double *const m = NUMBERS(s);
    char fixed[ROOM(N_MODE_GUARDS)];
    memcpy(fixed, always_fixed, sizeof fixed);
    for (int row = 0; row < N_COMBINATIONS; row++) {
        const double *const wanted = combinations + row * N_MODE_GUARDS;
        int same = 1;
        for (int k = 0; same && k < N_MODE_GUARDS; k++) same = isnan(wanted[k]) || m[mode_guards[k]] == wanted[k];
        for (int k = 0; same && k < N_MODE_GUARDS; k++) fixed[k] = fixed[k] || !isnan(wanted[k]);
    }
    for (int number = 0; number < N_PROGRAMS; number++) {
        const double *const granted = taken_for_granted + number * N_MODE_GUARDS;
        int same = is_entered[number];
        for (int k = 0; same && k < N_MODE_GUARDS; k++)
            same = fixed[k] ? m[mode_guards[k]] == granted[k] : isnan(granted[k]);
        if (same) return number;
    }
    return NOWHERE;
}

static int stays(const @NAME@ *s)
{
    return belonging(s) == HERE(s);
}

/* A program gets the left limits, and the truths that are presumed. */
static void take_left(@NAME@ *s, int there)
{
    const double *const frozen = s->frozen;
    if (there != HERE(s)) bring_along(s, there);
    double *const m = NUMBERS(s);
    for (int k = 0; k < N_LEFT; k++) {
        const int place = frozen_place(s, left_of[k]);
        m[left_to[k]] = place < 0 ? NAN : frozen[place];
    }
    if (HOLDS) do_parameters(m);
    for (int k = 0; k < N_CONTINUOUS_MOVES; k++) {
        const int place = frozen_place(s, continuous_of[k]);
        if (place >= 0) m[continuous_to[k]] = frozen[place];
    }
    for (int k = 0; k < N_PRESUMED_MOVES; k++) m[presumed_at[k]] = m[presumed_of[k]];
    do_forget(m);
    for (int k = 0; k < N_DECIDING; k++) m[ZERO_SINCE + deciding[k]] = m[TIME];
    memcpy(m + BANDS, frozen + FROZEN_BANDS(s), N_OWN_RELATIONS * sizeof *m);
    for (int k = 0; k < N_INERT_HELD; k++) {
        const int i = inert_held[k];
        m[RELATION_IMPULSES + i] = m[RELATIONS + i] == above[i] ? 1.0 : -1.0;
    }
}

/* What was held is compared with the states of a mode that has reproduced itself. */
static int release(@NAME@ *s)
{
    if (!N_INERT_HELD) return 1;
    for (int k = 0; k < N_INERT_HELD; k++) NUMBERS(s)[RELATION_IMPULSES + inert_held[k]] = 0.0;
    NUMBERS(s)[SCRATCH] = 0.0;
    do_settle_update(NUMBERS(s));
    return NUMBERS(s)[SCRATCH] == 0.0;
}

static int is_finite(const @NAME@ *s)
{
    double total = 0.0;
    for (int k = 0; k < N_CONTINUOUS; k++) total += NUMBERS(s)[CONTINUOUS + k] * 0.0;
    return total == 0.0;
}

/* Whether the equations that a mode has in excess hold. */
static int holds(@NAME@ *s)
{
    if (!N_EXCESS) return 1;
    do_checks(NUMBERS(s));
    for (int k = 0; k < N_EXCESS; k++)
        if (NUMBERS(s)[CHECKS + excess[k]] != 0.0) return 0;
    return 1;
}

/* Time and states a small step further, along the derivatives, from where the memory was. */
static void ahead(@NAME@ *s, const double *origin, double step)
{
    NUMBERS(s)[TIME] = origin[TIME] + step;
    for (int k = 0; k < N_STATES; k++) NUMBERS(s)[STATES + k] = origin[STATES + k] + step * origin[DERIVATIVES + k];
}

static int is_good_ahead(@NAME@ *s, double step)
{
    ahead(s, s->before, step);
    return do_evaluate(NUMBERS(s)) == 0 && is_finite(s) && holds(s);
}

/* Whether nothing is wrong with the values, now or a moment later. */
static int is_sound(@NAME@ *s, int status)
{
    if (status || !is_finite(s) || !holds(s)) return 0;
    for (int k = 0; k < N_NONLINEAR; k++)
        if (NUMBERS(s)[nonlinear[k]] != 0.0) return 0;
    int doubtful = N_EXCESS > 0;
    for (int k = 0; k < N_WATCHED; k++)
        doubtful = doubtful || NUMBERS(s)[SIGNS + watched[k]] == 0.0;
    if (!doubtful) return 1;
    keep(s, s->before, NUMBERS(s));
    int good = is_good_ahead(s, DRIFT);
    if (good && N_EXCESS) {
        keep(s, NUMBERS(s), s->before);
        good = is_good_ahead(s, PARTED);
    }
    keep(s, NUMBERS(s), s->before);
    return good;
}

/* Residues a small step further, in `residues_ahead`, and a small step back, in the memory. */
static int moved(@NAME@ *s, const double *origin)
{
    ahead(s, origin, DRIFT);
    int fails = do_crossings(NUMBERS(s)) != 0;
    memcpy(s->residues_ahead, NUMBERS(s) + RESIDUES, N_OWN_RELATIONS * sizeof(double));
    keep(s, NUMBERS(s), origin);
    ahead(s, origin, -DRIFT);
    fails = do_crossings(NUMBERS(s)) != 0 || fails;
    return !fails;
}

static double move_of(const @NAME@ *s, int k)
{
    return (s->residues_ahead[k] - NUMBERS(s)[RESIDUES + k]) / 2.0;
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
    for (int k = 0; k < N_DECIDING; k++) zeros += NUMBERS(s)[SIGNS + deciding[k]] == 0.0;
    if (!zeros) return 0;
    keep(s, s->before, NUMBERS(s));
    const int known = moved(s, s->before);
    for (int i = 0; known && i < N_DECIDING; i++) {
        const int k = deciding[i];
        if (s->before[SIGNS + k] != 0.0) continue;
        const double move = move_of(s, k);
        s->moves[k] = fabs(move) <= CLEAR * NUMBERS(s)[NARROW_BANDS + k] ? 0.0 : move;
    }
    keep(s, NUMBERS(s), s->before);
    return known;
}

/* States that are off by a part of their values: in one of the tries any two that have to do with each other
 * are off in opposite directions. */
static void be_off(@NAME@ *s, double part, int digit, double way)
{
    for (int k = 0; k < N_STATES; k++) {
        const double x = s->before[STATES + k];
        const double sign = numbers_in_parts[k] % (digit * 2) < digit ? way : -way;
        NUMBERS(s)[STATES + k] = x + sign * (part * fabs(x));
    }
}

/* What moves otherwise where the states are off by the errors that the tolerance allows has no clear move. */
static void be_certain(@NAME@ *s)
{
    int moving = 0;
    for (int i = 0; i < N_DECIDING; i++) moving = moving || is_moving(s, deciding[i]);
    if (!moving) return;
    keep(s, s->before, NUMBERS(s));
    for (int digit = 1;; digit *= 2) {
        for (int back = 0; back < 2; back++) {
            be_off(s, ROOM_IN_ERRORS * TOLERANCE, digit, back ? -1.0 : 1.0);
            int computed = do_evaluate(NUMBERS(s)) == 0;
            if (computed) {
                keep(s, s->elsewhere, NUMBERS(s));
                computed = moved(s, s->elsewhere);
            }
            for (int i = 0; computed && i < N_DECIDING; i++) {
                const int k = deciding[i];
                if (!is_moving(s, k)) continue;
                const double there = s->moves[k] > 0.0 ? move_of(s, k) : -move_of(s, k);
                if (!(there > CLEAR * NUMBERS(s)[NARROW_BANDS + k])) s->moves[k] = 0.0;
            }
            keep(s, NUMBERS(s), s->before);
        }
        if (digit >= MOST_IN_PART) return;
    }
}

/* Whether relation k asks for states alone and has crossed. */
static int came(const @NAME@ *s, int k)
{
    return inert[k] && NUMBERS(s)[DIRECTIONS + k] != 0.0;
}

/* Relations that are zero, but clearly move to the side where they have the other truth, get it. How many. */
static int turn_leaning(@NAME@ *s)
{
    int count = 0;
    if (!lean(s)) return 0;
    for (int i = 0; i < N_DECIDING; i++) {
        const int k = deciding[i];
        const double there = s->moves[k] > 0.0 ? above[k] : 1.0 - above[k];
        if (is_moving(s, k) && (came(s, k) || NUMBERS(s)[RELATIONS + k] == there)) s->moves[k] = 0.0;
    }
    be_certain(s);
    for (int i = 0; i < N_DECIDING; i++) {
        const int k = deciding[i];
        const double truth = NUMBERS(s)[RELATIONS + k];
        const double there = s->moves[k] > 0.0 ? above[k] : 1.0 - above[k];
        const double right = came(s, k) ? s->frozen[FROZEN_RELATIONS(s) + k] : there;
        const int moving = is_moving(s, k) || (came(s, k) && s->moves[k] == 0.0);
        if (moving && truth != right && s->turned[k] < MOST_TURNS) {
            s->turned[k]++;
            NUMBERS(s)[RELATIONS + k] = 1.0 - truth;
            NUMBERS(s)[ZERO_SINCE + k] = NUMBERS(s)[TIME];
            count++;
        }
    }
    return count;
}

/* The mode has been chosen: states exactly as the entry has them. */
static int accept(@NAME@ *s)
{
    double *const m = NUMBERS(s);
    if (!HAS_ENTRY) return 1;
    m[EXACT] = 1.0;
    if (do_entry(m) || do_evaluate(m) || do_relations(m)) return 0;
    for (int k = 0; k < N_RELATION_IMPULSES; k++) m[RELATION_IMPULSES + k] = 0.0;
    for (int k = 0; k < N_IMPULSES; k++) m[impulses[k]] = 0.0;
    return 1;
}

/* Relations get truths that are known to lead out of a mode that cannot be, for all parts of the system of which such
 * a way is known; whether there are any. A way is how many numbers say where it begins, how many it sets, and these. */
static int take_way_out(@NAME@ *s)
{
    double *const m = NUMBERS(s);
    int taken = 0;
    for (int at = 0; at < N_WAYS && s->ways_taken < MOST_WAYS_OUT;) {
        const int first = at + 2, past = first + way_slots[at], next = past + way_slots[at + 1];
        int same = 1;
        for (int k = first; same && k < past; k++) same = m[way_slots[k]] == way_values[k];
        for (int k = past; same && k < next; k++) m[way_slots[k]] = way_values[k];
        taken = taken || same;
        at = next;
    }
    s->ways_taken += taken;
    return taken;
}

/* A mode that cannot be is left for the one that a search has found from there: all truths but those that follow from
 * time alone. Whether one is known. */
static int leave_for_found(@NAME@ *s)
{
    double *const truths = NUMBERS(s) + RELATIONS;
    for (int row = 0; row < N_WAYS_OF_ALL; row++) {
        const double *const from = ways_of_all + 2 * row * N_OWN_RELATIONS, *const to = from + N_OWN_RELATIONS;
        int same = 1;
        for (int k = 0; same && k < N_OWN_RELATIONS; k++) same = truths[k] == from[k];
        for (int k = 0; same && k < N_OWN_RELATIONS; k++)
            if (!given[k]) truths[k] = to[k];
        if (same) return 1;
    }
    return 0;
}

/* What a mode that is entered tentatively has come to. */
enum { LED_OUT = -3, IMPOSSIBLE = -2, UNLISTED = -1, LEFT_AT_ONCE = 0, ENTERED = 1 };

/* Truths follow from values, as long as the guards belong to the program. */
static int settle_truths(@NAME@ *s)
{
    double *const m = NUMBERS(s);
    for (int passes = 0; passes < MOST_MODE_PASSES; passes++) {
        if (HAS_ENTRY && passes == 0) m[EXACT] = 0.0;
        if (N_LOWER) do_lower(m);
        for (int k = 0; k < N_LOWER; k++)
            if (!(fabs(m[LOWER + 2*k]) <= PROJECTED * m[LOWER + 2*k + 1])) return IMPOSSIBLE;
        for (int k = 0; HAS_ENTRY && passes == 0 && k < N_LEFTS; k++)
            if (isnan(m[LEFTS + k])) m[LEFTS + k] = 0.0; /* what was computed nowhere begins with its jump */
        memcpy(s->discretes_before, m + DISCRETES, N_DISCRETES * sizeof *m);
        m[CONTINUATION] = 1.0;
        const int status = do_enter(m);
        m[CONTINUATION] = 0.0;
        if (!stays(s)) return belonging(s) == NOWHERE ? UNLISTED : passes ? ENTERED : LEFT_AT_ONCE;
        if (status && status == UNSOLVABLE && is_finite(s) && take_way_out(s)) return LED_OUT;
        if (!is_sound(s, status)) return IMPOSSIBLE;
        m[SCRATCH] = 0.0;
        do_relations(m);
        do_settle_update(m);
        if (!stays(s)) return belonging(s) == NOWHERE ? UNLISTED : ENTERED;
        int agree = m[SCRATCH] == 0.0;
        /* The entry comes before discrete variables have followed, and may depend on them. */
        for (int k = 0; HAS_ENTRY && k < N_DISCRETES; k++)
            agree = agree && m[DISCRETES + k] == s->discretes_before[k];
        if (agree) return ENTERED;
    }
    return IMPOSSIBLE;
}

/* The mode that reproduces itself. */
static @NAME@_status choose_mode(@NAME@ *s)
{
    memcpy(s->frozen, NUMBERS(s), MEMORY * sizeof *s->frozen);
    FREEZE(s);
    memset(s->turned, 0, sizeof s->turned);
    s->ways_taken = 0;
    for (int modes = 0; modes < MOST_MODES; modes++) {
        int entered = LEFT_AT_ONCE;
        for (int tries = 0; (entered == LEFT_AT_ONCE || entered == LED_OUT) && tries < MOST_MODES; tries++) {
            const int there = belonging(s);
            if (there == NOWHERE) {
                entered = UNLISTED;
                break;
            }
            take_left(s, there);
            memcpy(s->presumed, NUMBERS(s), MEMORY * sizeof *s->presumed);
            entered = settle_truths(s);
            if (entered == IMPOSSIBLE) memcpy(NUMBERS(s), s->presumed, MEMORY * sizeof *s->presumed);
        }
        if ((entered == UNLISTED || entered == IMPOSSIBLE) && leave_for_found(s)) continue;
        if (entered == UNLISTED) return failed(s, @NAME@_UNLISTED_MODE, 0);
        if (entered == IMPOSSIBLE || entered == LED_OUT) return failed(s, @NAME@_EVENT_FAILED, 0);
        if (stays(s) && release(s) && turn_leaning(s) == 0)
            return accept(s) ? @NAME@_OK : failed(s, @NAME@_EVENT_FAILED, 0);
    }
    return failed(s, @NAME@_EVENT_FAILED, 0);
}

/* Whether nothing is decided anew in a further round. If so, all values are computed; if not, the memory is as it
 * was. */
static int stays_settled(@NAME@ *s)
{
    double *const m = NUMBERS(s);
    for (int k = 0; k < N_JUMPED; k++)
        if (m[JUMPED + k] != 0.0) return 0;
    keep(s, s->before, m);
    int same = do_settle(m) == 0 && stays(s) && is_finite(s);
    for (int k = 0; k < N_OWN_RELATIONS; k++) same = same && m[RELATIONS + k] == s->before[RELATIONS + k];
    for (int k = 0; HAS_ENTRY && k < N_DISCRETES; k++)
        same = same && m[DISCRETES + k] == s->before[DISCRETES + k];
    if (!same) {
        keep(s, m, s->before);
        return 0;
    }
    for (int k = 0; k < N_IMPULSES; k++) m[impulses[k]] = 0.0;
    return 1;
}

static @NAME@_status decide(@NAME@ *s, int done)
{
    if (!s->across) { /* as long as the program settles, its guards lead to no other */
        const int status = do_settle(NUMBERS(s));
        return status ? failed(s, @NAME@_NO_SOLUTION, status) : @NAME@_OK;
    }
    if (!(done && stays_settled(s))) {
        const @NAME@_status chosen = choose_mode(s);
        if (chosen != @NAME@_OK) return chosen;
    }
    for (int k = 0; k < N_OWN_RELATIONS; k++) NUMBERS(s)[DIRECTIONS + k] = 0.0;
    return @NAME@_OK;
}

/* What follows from states that were reinitialised goes with them. */
static int carry(@NAME@ *s)
{
    int jumped = 0;
    for (int k = 0; s->across && TAKES_ALONG && k < N_JUMPED; k++) jumped = jumped || NUMBERS(s)[JUMPED + k] != 0.0;
    return !jumped || do_outputs(NUMBERS(s)) == 0;
}

/* Relations that are away from zero have bands as usual. */
static void leave_room(@NAME@ *s)
{
    for (int k = 0; k < N_OWN_RELATIONS; k++)
        if (NUMBERS(s)[SIGNS + k] != 0.0) NUMBERS(s)[BANDS + k] = NUMBERS(s)[NARROW_BANDS + k];
}

static void before_event(@NAME@ *s)
{
    if (s->across) leave_room(s);
}

/* The left limits are those of this program. */
static void leave(@NAME@ *s)
{
    s->across = ACROSS;
    DEPART(s);
}

/* Whether an event that this program cannot do by itself is to be done once more: it may lead to another one. */
static int leads_elsewhere(@NAME@ *s, @NAME@_status code)
{
    if (s->across || (code != @NAME@_NO_SOLUTION && code != @NAME@_EVENT_FAILED)) return 0;
    s->across = 1;
    s->status = @NAME@_OK;
    return 1;
}

/* How much residues differ where states are off by a part of their values, in `errors`. */
static void errors_of_states(@NAME@ *s, double share)
{
    keep(s, s->before, NUMBERS(s));
    for (int k = 0; k < N_OWN_RELATIONS; k++) s->errors[k] = 0.0;
    for (int digit = 1;; digit *= 2) {
        be_off(s, share, digit, 1.0);
        int known = do_crossings(NUMBERS(s)) == 0;
        memcpy(s->residues_ahead, NUMBERS(s) + RESIDUES, N_OWN_RELATIONS * sizeof(double));
        keep(s, NUMBERS(s), s->before);
        be_off(s, share, digit, -1.0);
        known = do_crossings(NUMBERS(s)) == 0 && known;
        for (int k = 0; known && k < N_OWN_RELATIONS; k++)
            s->errors[k] = greatest(fabs(move_of(s, k)), s->errors[k]);
        keep(s, NUMBERS(s), s->before);
        if (digit >= MOST_IN_PART) return;
    }
}

/* Where truths have changed: relations whose residues leave zero without speed, as far as that can be told,
 * count as zero as long as they are so within the errors that the tolerance allows. */
static void after_event(@NAME@ *s)
{
    int changed = 0, still = 0;
    if (!s->across) return;
    leave_room(s);
    for (int i = 0; i < N_DECIDING; i++)
        changed = changed || NUMBERS(s)[RELATIONS + deciding[i]] != s->left[LEFT_RELATIONS(s) + deciding[i]];
    if (!changed || !lean(s)) return;
    be_certain(s);
    for (int i = 0; i < N_DECIDING; i++) still = still || s->moves[deciding[i]] == 0.0;
    if (!still) return;
    errors_of_states(s, TOLERANCE);
    for (int i = 0; i < N_DECIDING; i++) {
        const int k = deciding[i];
        if (s->moves[k] != 0.0) continue;
        const double room = greatest(NUMBERS(s)[NARROW_BANDS + k] * WIDE, ROOM_IN_ERRORS * s->errors[k]);
        NUMBERS(s)[BANDS + k] = greatest(NUMBERS(s)[BANDS + k], room);
    }
}
