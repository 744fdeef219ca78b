/* ------------------------------------------------------------------------------------------------------------
 * How a round is decided: truths follow from the values that they lead to, pass by pass (settle). Where that
 * goes round in a circle, or a block has no solution with the truths that were presumed, a mode is searched for
 * in which all truths agree with their values, by taking truths for granted and looking what they lead to:
 * first those that disagree are turned one by one, then all combinations are tried, few turned first; in large
 * groups truths are fixed one after the other.
 * --------------------------------------------------------------------------------------------------------- */

typedef struct { const int *members; int n_members; const int *upstream; int n_upstream; const int *axes; } Group;

@GROUPS@

/* The system that is settled: that of the start, or that of an event. */
static int one_pass(@NAME@ *s) { return @PASS@; }
static int update(@NAME@ *s) { return @UPDATE@; }
static int passes(@NAME@ *s) { return @PASSES@; }
static const Group *group(const @NAME@ *s, int g) { return s->initial ? &start_groups[g] : &groups[g]; }
static int n_groups(const @NAME@ *s) { return s->initial ? N_START_GROUPS : N_GROUPS; }

enum { ENUMERATED = 12, COMPARED = 8, MOST_TRIALS = 5000, MOST_SOLUTIONS = 16, MOST_PASSES = 50, MOST_SEEN = 128 };

#define SWITCHES ROOM(N_SWITCHES)

static double *switch_of(double *m, int k)
{
    return k < N_RELATIONS ? m + RELATIONS + k : m + PRESUMED + (k - N_RELATIONS);
}

static void take_mode(double *m, const double *mode)
{
    for (int k = 0; k < N_SWITCHES; k++) *switch_of(m, k) = mode[k];
}

static void read_mode(double *m, double *mode)
{
    for (int k = 0; k < N_SWITCHES; k++) mode[k] = *switch_of(m, k);
}

static int same(const double *a, const double *b, const int *among, int n)
{
    for (int i = 0; i < n; i++)
        if (a[among[i]] != b[among[i]]) return 0;
    return 1;
}

/* What is zero within its band has the truth that it had when the search began, if it moved there. */
static void correct(const @NAME@ *s, double *computed)
{
    for (int k = 0; k < N_RELATIONS; k++) {
        const double sign = s->m[SIGNS + k], residue = s->m[RESIDUES + k];
        if (sign != 0.0 || (of_time[k] && !(s->m[CROSSING_TIMES + k] < INFINITY && s->m[CROSSING_TIMES + k] > -INFINITY)))
            continue;
        const int fired = s->start[ZERO_SINCE + k] == s->start[TIME] && !moving_zero[k];
        const int moved = s->start[SIGNS + k] == 0.0 || fired || of_time[k];
        const double literal = residue > 0.0 ? above[k] : residue < 0.0 ? 1.0 - above[k] : of_zero[k];
        computed[k] = moved ? s->start[RELATIONS + k] : literal;
    }
}

/* Passes with a mode in which the pinned switches stay and others follow, until those that are relevant stay as
 * they are, or come round again. 0 where a pass fails. */
static int trial(@NAME@ *s, const double *mode, const char *pinned, const int *relevant, int n_relevant,
                 double *taken, double *computed)
{
    double seen[MOST_PASSES + 2][SWITCHES], after[SWITCHES];
    int n_seen = 0;
    memcpy(s->m, s->start, sizeof s->start);
    memcpy(taken, mode, sizeof after);
    for (;;) {
        take_mode(s->m, taken);
        s->trials++;
        if (one_pass(s) || do_relations(s->m) || update(s)) return 0;
        read_mode(s->m, computed);
        if (!s->initial) correct(s, computed);
        for (int k = 0; k < N_SWITCHES; k++) after[k] = pinned[k] ? mode[k] : computed[k];
        memcpy(seen[n_seen++], taken, sizeof after);
        for (int i = 0; i < n_seen; i++)
            if (same(after, seen[i], relevant, n_relevant)) return 1;
        if (n_seen > MOST_PASSES) return 1;
        memcpy(taken, after, sizeof after);
    }
}

/* The mode with all that follows from the pinned switches, if all that is relevant agrees. */
static int agrees(@NAME@ *s, const double *mode, const char *pinned, const int *relevant, int n, double *found)
{
    double taken[SWITCHES];
    return trial(s, mode, pinned, relevant, n, taken, found) && same(found, taken, relevant, n);
}

static void pin_groups(const @NAME@ *s, char *pinned, int before)
{
    memset(pinned, 0, SWITCHES);
    for (int g = 0; g < before; g++)
        for (int i = 0; i < group(s, g)->n_members; i++) pinned[group(s, g)->members[i]] = 1;
}

/* A mode that agrees is kept if it is nearer to the one before the event than those found so far. */
static void note_solution(@NAME@ *s, const double *mode)
{
    for (int i = 0; i < s->n_solutions; i++)
        if (memcmp(s->solutions[i], mode, sizeof s->solutions[i]) == 0) return;
    int turned = 0;
    for (int k = 0; k < N_SWITCHES; k++) turned += *switch_of(s->m, k) != *switch_of(s->start, k);
    memcpy(s->solutions[s->n_solutions++], mode, sizeof s->solutions[0]);
    if (s->n_solutions == 1 || turned < s->fewest_turned) {
        s->fewest_turned = turned;
        memcpy(s->best, s->m, sizeof s->best);
    }
}

static void decide_groups(@NAME@ *s, int g, const double *mode);

/* Turns the first switch that disagrees until none does; of those that compare one quantity, the ones to which
 * it comes first. */
static int pivot(@NAME@ *s, int g, const double *mode, const char *pinned, double *found)
{
    const Group *const own = group(s, g);
    double seen[MOST_SEEN][SWITCHES], now[SWITCHES], taken[SWITCHES];
    memcpy(now, mode, sizeof now);
    for (int n_seen = 0; n_seen < MOST_SEEN && s->trials <= MOST_TRIALS; n_seen++) {
        for (int i = 0; i < n_seen; i++)
            if (same(now, seen[i], own->members, own->n_members)) return 0;
        memcpy(seen[n_seen], now, sizeof now);
        if (!trial(s, now, pinned, own->upstream, own->n_upstream, taken, found)) return 0;
        int first = -1, along = 0;
        double furthest = 0.0;
        for (int i = 0; i < own->n_members; i++) {
            const int k = own->members[i];
            if (found[k] == taken[k]) continue;
            if (first < 0) first = i;
            if (own->axes[i] != own->axes[first]) continue;
            along++;
            if (k < N_RELATIONS) furthest = greatest(furthest, fabs(s->m[RESIDUES + k]));
        }
        if (first < 0) return 1;
        memcpy(now, taken, sizeof now);
        for (int i = first; i < own->n_members; i++) {
            const int k = own->members[i];
            if (found[k] == taken[k] || own->axes[i] != own->axes[first]) continue;
            if (along == 1 || (k < N_RELATIONS && fabs(s->m[RESIDUES + k]) >= (1.0 - ROUNDED) * furthest))
                now[k] = 1.0 - now[k];
        }
    }
    return 0;
}

/* All modes of a group that agree, those with the fewest switches turned first. */
static void enumerate(@NAME@ *s, int g, const double *mode, const char *pinned)
{
    const Group *const own = group(s, g);
    double tried[SWITCHES], found[SWITCHES];
    for (int count = 0; count <= own->n_members; count++) {
        int turned[ENUMERATED + 1];
        for (int i = 0; i < count; i++) turned[i] = i;
        for (;;) {
            memcpy(tried, mode, sizeof tried);
            for (int i = 0; i < count; i++) tried[own->members[turned[i]]] = 1.0 - tried[own->members[turned[i]]];
            if (agrees(s, tried, pinned, own->upstream, own->n_upstream, found)) decide_groups(s, g + 1, found);
            if (s->n_solutions >= MOST_SOLUTIONS) return;
            int last = count - 1;
            while (last >= 0 && turned[last] == own->n_members - count + last) last--;
            if (last < 0) break;
            turned[last]++;
            for (int i = last + 1; i < count; i++) turned[i] = turned[i - 1] + 1;
        }
    }
}

/* Modes of a large group that agree, with some of its switches fixed. */
static void backtrack(@NAME@ *s, int g, const double *mode, char *pinned, char *fixed)
{
    const Group *const own = group(s, g);
    double taken[SWITCHES], computed[SWITCHES], tried[SWITCHES];
    if (s->trials > MOST_TRIALS || s->n_solutions >= MOST_SOLUTIONS) return;
    if (!trial(s, mode, pinned, own->upstream, own->n_upstream, taken, computed)) return;
    int first = -1;
    for (int i = own->n_members - 1; i >= 0; i--)
        if (!fixed[own->members[i]] && computed[own->members[i]] != taken[own->members[i]]) first = own->members[i];
    if (first < 0) {
        for (int i = 0; i < own->n_members; i++)
            if (fixed[own->members[i]] && computed[own->members[i]] != mode[own->members[i]]) return;
        decide_groups(s, g + 1, computed);
        return;
    }
    pinned[first] = fixed[first] = 1;
    memcpy(tried, mode, sizeof tried);
    backtrack(s, g, tried, pinned, fixed);
    tried[first] = 1.0 - mode[first];
    backtrack(s, g, tried, pinned, fixed);
    pinned[first] = fixed[first] = 0;
}

/* The groups from g on, with those before as they are in a mode. */
static void decide_groups(@NAME@ *s, int g, const double *mode)
{
    char pinned[SWITCHES], all_pinned[SWITCHES], fixed[SWITCHES];
    double found[SWITCHES];
    if (s->n_solutions >= MOST_SOLUTIONS) return;
    pin_groups(s, pinned, g);
    if (g == n_groups(s)) {
        if (agrees(s, mode, pinned, all_switches, N_SWITCHES, found)) note_solution(s, found);
        return;
    }
    const Group *const own = group(s, g);
    pin_groups(s, all_pinned, g + 1);
    if (agrees(s, mode, all_pinned, own->upstream, own->n_upstream, found) && !s->thorough) {
        s->passed_over = 1;
        decide_groups(s, g + 1, found);
        return;
    }
    const int pivoted = pivot(s, g, mode, all_pinned, found);
    if (pivoted && own->n_members > COMPARED && !s->thorough) {
        decide_groups(s, g + 1, found);
    } else if (own->n_members <= ENUMERATED) {
        enumerate(s, g, mode, all_pinned);
    } else {
        if (pivoted) decide_groups(s, g + 1, found);
        memset(fixed, 0, sizeof fixed);
        backtrack(s, g, mode, pinned, fixed);
    }
}

/* Whether there is a mode in which all agrees; the nearest one is in the memory then. */
static int search(@NAME@ *s)
{
    double mode[SWITCHES];
    memcpy(s->start, s->m, sizeof s->start);
    read_mode(s->m, mode);
    s->n_solutions = s->trials = s->passed_over = 0;
    for (s->thorough = 0; s->thorough < 2; s->thorough++) {
        decide_groups(s, 0, mode);
        if (s->n_solutions || !s->passed_over) break;
    }
    s->searched = 1;
    memcpy(s->m, s->n_solutions ? s->best : s->start, sizeof s->best);
    return s->n_solutions > 0;
}

/* Truths that agree with the values that they lead to; the status of what has no solution. */
static int settle(@NAME@ *s)
{
    double *const m = NUMBERS(s), *const before = s->before, *const failure = s->failure;
    int status = 0;
    for (int tries = 0; tries <= N_RELATIONS; tries++) {
        double mode[SWITCHES], corrected[SWITCHES], signs[ROOM(N_RELATIONS)], since[ROOM(N_RELATIONS)];
        memcpy(before, m, sizeof s->before);
        status = passes(s);
        if (status == 0 || status == SETTLE_FAILED) break;
        s->searched = 1;
        memcpy(failure, m, sizeof s->failure);
        read_mode(m, mode);
        const int unseen = do_relations(m) || update(s);
        read_mode(m, corrected);
        memcpy(signs, m + SIGNS, N_RELATIONS * sizeof *signs);
        memcpy(since, m + ZERO_SINCE, N_RELATIONS * sizeof *since);
        memcpy(m, failure, sizeof s->failure);
        if (unseen || same(mode, corrected, all_switches, N_SWITCHES)) break;
        memcpy(m, before, sizeof s->before);
        take_mode(m, corrected);
        memcpy(m + SIGNS, signs, N_RELATIONS * sizeof *signs);
        memcpy(m + ZERO_SINCE, since, N_RELATIONS * sizeof *since);
    }
    if (status == 0) return 0;
    int singular = status == SETTLE_FAILED;
    for (int k = 0; k < N_LINEAR_BLOCKS; k++) singular = singular || status == linear_blocks[k];
    if (!singular || !n_groups(s)) return status;
    memcpy(failure, m, sizeof s->failure);
    memcpy(m, before, sizeof s->before);
    if (search(s)) return 0;
    memcpy(m, failure, sizeof s->failure);
    return status;
}

static @NAME@_status decide(@NAME@ *s, int done)
{
    (void)done;
    const int status = settle(s);
    return status ? failed(s, @NAME@_EVENT_FAILED, status) : @NAME@_OK;
}

static int carry(@NAME@ *s)
{
    (void)s;
    return 1;
}

static void leave(@NAME@ *s)
{
    (void)s;
}

static int leads_elsewhere(@NAME@ *s, @NAME@_status code)
{
    (void)s;
    (void)code;
    return 0;
}

static void before_event(@NAME@ *s)
{
    (void)s;
}

static void after_event(@NAME@ *s)
{
    (void)s;
}
