/** The `code` of an error of Node. Not by `instanceof`: in a test runner with realms of its own, Node's class differs. */
export const errorCode = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined
