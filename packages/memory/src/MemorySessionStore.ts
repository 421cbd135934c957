/** Sessions in memory. */
import { type Moment, SessionStore } from "@tributary/core/ports/SessionStore"
import { isFresh } from "@tributary/core/ports/lastUse"
import { Effect, Layer, Option } from "effect"
import { copied } from "./internal/copied.ts"
import type { SessionRow } from "./internal/PeopleTable.ts"
import { signIns } from "./internal/signIns.ts"
import { State } from "./internal/State.ts"

const isAlive = ({ session }: SessionRow, { now, seenAfter }: Moment): boolean =>
  session.expires_at > now && session.last_seen_at > seenAfter

export const layer = Layer.effect(
  SessionStore,
  Effect.gen(function*() {
    const state = yield* State
    const { membership, people } = state

    return SessionStore.of({
      ...signIns(state),

      authenticate: (hash, workspaceId, at) =>
        Effect.sync(() => {
          const row = people.sessions.get(hash)
          if (row === undefined || !isAlive(row, at)) return Option.none()
          if (!isFresh(row.session.last_seen_at, at.now)) {
            row.session = { ...row.session, last_seen_at: new Date(at.now) }
          }
          return Option.some(copied({
            session: row.session,
            user: people.users.get(row.user_id)!,
            membership: workspaceId === null ? null : membership(row.user_id, workspaceId) ?? null
          }))
        }),

      list: (userId, at) =>
        Effect.sync(() =>
          copied(people.sessionsOf(userId).filter((row) => isAlive(row, at)).map(({ session }) => session))
        ),

      end: (userId, sessionId) => Effect.sync(() => people.endSessions(userId, sessionId)),

      prune: (at) =>
        Effect.sync(() => {
          for (const row of people.sessions.values()) if (!isAlive(row, at)) people.sessions.delete(row.hash)
        })
    })
  })
)
