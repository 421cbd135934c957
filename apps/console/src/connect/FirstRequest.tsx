import { useState } from "react"
import type { Key } from "../api/consoleApi.ts"
import { dateOf, Moment } from "../ui/time/Moment.tsx"

/** Milliseconds that the time of a key's last use may be late. */
const LATE = 60_000

/** Polls the key's own traffic, so that the client needs no setup for it. */
export const FirstRequest = ({ value: { key_id, last_used_at, name } }: { readonly value: Key }) => {
  const [since] = useState({ at: Date.now(), key_id })
  if (last_used_at === null) {
    return (
      <p className="note" role="status">
        <strong>Waiting for the first request</strong>
        Nothing has used “{name}” yet. Leave this page open, and use it on the other side.
      </p>
    )
  }
  const isFresh = dateOf(last_used_at).getTime() > since.at - LATE
  return (
    <p className={isFresh ? "note good" : "note"} role="status">
      <strong>{isFresh ? "It is connected: a request came" : "No request since this page is open"}</strong>
      <span>
        “{name}” was last used <Moment at={last_used_at} />. This is at most a minute late.
      </span>
    </p>
  )
}
