/** Up to 17 minutes. */
const MOST_DOUBLINGS = 10

/**
 * Milliseconds that a job waits after this many attempts, of which the last one has lost its lease: a job that ends its
 * server does so less and less often.
 */
export const retryPause = (attempts: number): number => 1_000 * 2 ** Math.min(attempts - 1, MOST_DOUBLINGS)
