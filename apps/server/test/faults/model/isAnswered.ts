import { assert } from "vitest"
import type { Answer } from "../support/Tenant.ts"

/** False when no answer came, or one that says nothing of what was done; any other has to be one of these. */
export const isAnswered = ({ body, status }: Answer<unknown>, expected: ReadonlyArray<number>): boolean => {
  if (status === 0 || status === 503) return false
  assert.include(expected, status, JSON.stringify(body))
  return true
}
