/** Sessions in SQLite. */
import type { Role } from "@tributary/core/model/Person"
import type { Session } from "@tributary/core/model/Session"
import { type LinkHolder, type Moment, SessionStore } from "@tributary/core/ports/SessionStore"
import { isFresh } from "@tributary/core/ports/lastUse"
import { Effect, Layer, Option } from "effect"
import type { SqliteConnection } from "./internal/SqliteConnection.ts"
import { Database } from "./internal/Database.ts"
import type { Columns } from "./rows/Columns.ts"
import { toUser, type UserColumns } from "./rows/userRows.ts"
import { toWorkspace, WORKSPACE, type WorkspaceColumns } from "./rows/workspaceRows.ts"

type SessionColumns = Columns<Session>

const SESSION = "session_id, created_at, last_seen_at, expires_at, user_agent, address"

const toSession = (row: SessionColumns): Session => ({
  session_id: row.session_id,
  created_at: new Date(row.created_at),
  last_seen_at: new Date(row.last_seen_at),
  expires_at: new Date(row.expires_at),
  user_agent: row.user_agent,
  address: row.address
})

const find = (db: SqliteConnection, hash: string, workspaceId: string | null, { now, seenAfter }: Moment) => {
  const session = db.get<SessionColumns & Pick<UserColumns, "user_id">>(
    `SELECT user_id, ${SESSION} FROM sessions WHERE hash = ? AND expires_at > ? AND last_seen_at > ?`,
    hash,
    now,
    seenAfter
  )
  const user = session && db.get<UserColumns>("SELECT * FROM users WHERE user_id = ?", session.user_id)
  if (session === undefined || user === undefined) return null
  const part = db.get<WorkspaceColumns & { readonly role: Role }>(
    `SELECT ${WORKSPACE}, m.role FROM members m JOIN workspaces w ON w.workspace_id = m.workspace_id
      WHERE m.user_id = ? AND m.workspace_id = ?`,
    session.user_id,
    workspaceId
  )
  return {
    session: toSession(session),
    user: toUser(user),
    membership: part === undefined ? null : { role: part.role, workspace: toWorkspace(part) }
  }
}

export const layer = Layer.effect(
  SessionStore,
  Effect.gen(function*() {
    const { read, write } = yield* Database

    return SessionStore.of({
      signIn: (link, session, hash, options) =>
        Effect.map(write("signIn", link, session, hash, options), Option.fromNullOr),

      holder: (link) =>
        read((db) =>
          Option.fromUndefinedOr(
            db.get<LinkHolder>(
              `SELECT coalesce(u.account_id, w.account_id) AS account_id, i.workspace_id, l.subject FROM sign_in_links l
                LEFT JOIN users u ON u.user_id = l.subject
                LEFT JOIN invitations i ON i.invitation_id = l.subject
                LEFT JOIN workspaces w ON w.workspace_id = i.workspace_id
                WHERE l.hash = ?`,
              link
            )
          )
        ),

      signInAs: (identity, session, hash, options) =>
        Effect.map(write("signInAs", identity, session, hash, options), Option.fromNullOr),

      authenticate: (hash, workspaceId, at) =>
        Effect.flatMap(read((db) => find(db, hash, workspaceId, at)), (found) => {
          if (found === null) return Effect.succeedNone
          const { session } = found
          if (isFresh(session.last_seen_at, at.now)) return Effect.succeedSome(found)
          return write("noteSeen", session.session_id, at.now).pipe(
            Effect.as(Option.some({ ...found, session: { ...session, last_seen_at: at.now } })),
            // On a full disk the session reads on; every write of the caller's own reports it.
            Effect.orElseSucceed(() => Option.some(found))
          )
        }),

      list: (userId, { now, seenAfter }) =>
        read((db) =>
          db.all<SessionColumns>(
            `SELECT ${SESSION} FROM sessions WHERE user_id = ? AND expires_at > ? AND last_seen_at > ?
              ORDER BY session_id DESC`,
            userId,
            now,
            seenAfter
          ).map(toSession)
        ),

      end: (userId, sessionId) => write("endSessions", userId, sessionId),

      prune: (at) => write("pruneSessions", at)
    })
  })
)
