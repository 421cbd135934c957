/** For one test: far more than it takes, since a busy machine may stall it for long. */
export const TIMEOUT = 600_000
