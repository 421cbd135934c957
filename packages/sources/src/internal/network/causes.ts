/** The chain of causes. The innermost one says what happened. */
export const causes = (error: unknown): ReadonlyArray<Error> =>
  error instanceof Error ? [error, ...causes(error.cause)] : []
