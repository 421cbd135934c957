/** Sessions in memory. */
import type { User } from "@tributary/core/model/Person"
import { type Moment, SessionStore } from "@tributary/core/ports/SessionStore"
import { Effect, Layer, Option } from "effect"
import { copied } from "./internal/copied.ts"
import type { LinkRow, SessionRow } from "./internal/PeopleTable.ts"
import { State } from "./internal/State.ts"

const MINUTE = 60_000

const isAlive = ({ session }: SessionRow, { now, seenAfter }: Moment): boolean =>
  session.expires_at > now && session.last_seen_at > seenAfter

export const layer = Layer.effect(
  SessionStore,
  Effect.gen(function*() {
    const { people, workspaces } = yield* State

    /** The user whom the link is for, made when it comes from an invitation. */
    const userOf = ({ subject }: LinkRow, now: Date, newUserId: User["user_id"]): User | undefined => {
      if ("user_id" in subject) return people.users.get(subject.user_id)
      const row = people.invitations.get(subject.invitation_id)
      if (row === undefined || row.invitation.expires_at <= now) return undefined
      people.dropInvitation(subject.invitation_id)
      const { email, role } = row.invitation
      if (people.byEmail(row.account_id, email).length > 0) return undefined
      const user: User = { user_id: newUserId, account_id: row.account_id, email, name: email, created_at: now }
      people.users.set(newUserId, user)
      people.partsOf(row.workspace_id).set(newUserId, { role, joined_at: now })
      return user
    }

    return SessionStore.of({
      signIn: (link, session, hash, { maximum, newUserId }) =>
        Effect.sync(() => {
          const row = people.links.get(link)
          if (row === undefined || row.expires_at <= session.created_at) return Option.none()
          people.links.delete(link)
          const user = userOf(row, new Date(session.created_at), newUserId)
          if (user === undefined) return Option.none()
          people.sessions.set(hash, { user_id: user.user_id, hash, session: copied(session) })
          for (const { hash } of people.sessionsOf(user.user_id).slice(maximum)) people.sessions.delete(hash)
          return Option.some(copied(user))
        }),

      authenticate: (hash, workspaceId, at) =>
        Effect.sync(() => {
          const row = people.sessions.get(hash)
          if (row === undefined || !isAlive(row, at)) return Option.none()
          if (at.now.getTime() - row.session.last_seen_at.getTime() > MINUTE) {
            row.session = { ...row.session, last_seen_at: new Date(at.now) }
          }
          const role = workspaceId === null ? undefined : people.parts.get(workspaceId)?.get(row.user_id)?.role
          const workspace = workspaceId === null ? undefined : workspaces.get(workspaceId)?.record
          return Option.some(copied({
            session: row.session,
            user: people.users.get(row.user_id)!,
            membership: role === undefined || workspace === undefined ? null : { workspace, role }
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
