/**
 * What a store hands out and nobody answers: whatever is in it may have ended the process that took it. Counted in a row, any answer sets the
 * count back.
 */

/** From so many on, an owner has one such at a time: what ends its process is told from what was only beside it. */
export const SUSPECT = 2;

/** A process may end for other reasons: so often in a row it does not. */
export const MOST_UNANSWERED = 5;
