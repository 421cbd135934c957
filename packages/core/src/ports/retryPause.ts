/**
 * How long a job waits for its next attempt, so that one that ends its server does not end it again and again: seconds
 * that double up to 17 minutes.
 */
const MOST_DOUBLINGS = 10

/** In milliseconds, after this many attempts. */
export const retryPause = (attempts: number): number => 1_000 * 2 ** Math.min(attempts - 1, MOST_DOUBLINGS)
