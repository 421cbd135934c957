import { assert } from "vitest"
import { TributaryError } from "../../src/open.ts"

/** The error that a call rejects with. */
export const failureOf = async (call: Promise<unknown>): Promise<TributaryError> => {
  const error: unknown = await call.then(() => undefined, (error: unknown) => error)
  assert.instanceOf(error, TributaryError)
  return error as TributaryError
}
