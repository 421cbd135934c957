/** The chain of causes. The innermost one says what happened; of several addresses, the last one. */
export const causes = (error: unknown): ReadonlyArray<Error> =>
  error instanceof Error
    ? [error, ...causes(error instanceof AggregateError ? error.errors.at(-1) : error.cause)]
    : []
