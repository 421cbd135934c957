/** The innermost cause tells what happened: the ones around it say that something did. */
export const causes = (error: unknown): ReadonlyArray<Error> =>
  error instanceof Error ? [error, ...causes(error.cause)] : []
