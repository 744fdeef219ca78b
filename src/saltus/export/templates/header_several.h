    /* Of the programs: the one at work, and which one had the left limits. */
    const struct @NAME@_program *program;
    int at, left_by, frozen_by;
