/** Of the first second: up to 17 minutes. */
export const MAX_DOUBLINGS = 10

/**
 * Milliseconds that a job waits after this many attempts, of which the last one has lost its lease: a job that ends its
 * server does so less and less often.
 */
export const retryPause = (attempts: number): number => 1_000 * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS)
