import { assert } from "vitest"
import type { Answer } from "../support/Tenant.ts"

/** False without a response, or with one that does not show the outcome. Any other must be one of these. */
export const isAnswered = ({ body, status }: Answer<unknown>, expected: ReadonlyArray<number>): boolean => {
  if (status === 0 || status === 503) return false
  assert.include(expected, status, JSON.stringify(body))
  return true
}
