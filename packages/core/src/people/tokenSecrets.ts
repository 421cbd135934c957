/** The secrets of links and sessions, stored as hashes. */
import { Effect, type Redacted } from "effect"
import { hashOf, newToken } from "../internal/secret.ts"

export const issueToken = Effect.fnUntraced(function*(label: string) {
  const token: Redacted.Redacted = newToken(label)
  return { token, hash: yield* hashOf(token) }
})
