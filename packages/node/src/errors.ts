/** The code and the message of any error. */

/** Not by `instanceof`: in a test runner with realms of its own, Node's class differs. */
export const errorCode = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

export const errorMessage = (error: unknown): string => error instanceof Error ? error.message : String(error)
