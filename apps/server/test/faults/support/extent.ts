/** The timeout of one test, with a wide margin for busy machines. */
export const TIMEOUT = 600_000
