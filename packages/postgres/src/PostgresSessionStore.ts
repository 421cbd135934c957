/** Sessions on Postgres. */
import type { Role, User } from "@tributary/core/model/Person"
import type { Session } from "@tributary/core/model/Session"
import { type LinkHolder, type Moment, SessionStore } from "@tributary/core/ports/SessionStore"
import type { Stored } from "@tributary/core/ports/Storage"
import { freshRange } from "@tributary/core/ports/lastUse"
import { Effect, identity, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { moment } from "./internal/moment.ts"
import { unlockedRows } from "./internal/pruning.ts"
import { execute, stored, transacted } from "./internal/storageErrors.ts"
import { userColumns } from "./internal/rows/userRows.ts"
import { toWorkspace, type WorkspaceColumns } from "./internal/rows/workspaceRows.ts"
import { openAccountIn } from "./PostgresWorkspaceStore.ts"

/** A session with its user, and the user's role in the given workspace, if any. */
interface AuthenticatedColumns extends Session, Omit<User, "created_at">, Pick<WorkspaceColumns, "workspace_id"> {
  readonly user_created_at: Date
  readonly role: Role | null
  readonly workspace: string
}

/** The JSON form of a workspace's columns. */
type WorkspaceJson = Omit<WorkspaceColumns, "created_at"> & { readonly created_at: string }

const toSession = (row: Session): Session => ({
  session_id: row.session_id,
  created_at: row.created_at,
  last_seen_at: row.last_seen_at,
  expires_at: row.expires_at,
  user_agent: row.user_agent,
  address: row.address
})

const toMembership = ({ role, workspace }: AuthenticatedColumns) => {
  if (role === null) return null
  const columns: WorkspaceJson = JSON.parse(workspace)
  return { role, workspace: toWorkspace({ ...columns, created_at: new Date(columns.created_at) }) }
}

type Found<A> = Stored<Option.Option<A>>

const orElse = <A>(find: Found<A>, otherwise: Found<A>): Found<A> =>
  Effect.flatMap(find, (found) => Option.isSome(found) ? Effect.succeed(found) : otherwise)

export const layer = Layer.effect(
  SessionStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { our, sql } = database
    const openAccount = openAccountIn(database)
    const user = userColumns(database)
    const columns = sql.literal(`s.session_id::text AS session_id, s.created_at, s.last_seen_at, s.expires_at,
      s.user_agent, s.address`)
    const alive = ({ now, seenAfter }: Moment) =>
      sql`s.expires_at > ${moment(now)}::timestamptz AND s.last_seen_at > ${moment(seenAfter)}::timestamptz`

    return SessionStore.of({
      signIn: (link, session, hash, { maximum, newUserId }) =>
        stored(
          sql<User>`SELECT ${user} FROM ${our("sign_in")}(decode(${link}::text, 'hex'), ${newUserId}::uuid,
            ${maximum}::integer, ${JSON.stringify(session)}::text::jsonb, decode(${hash}::text, 'hex')) u`,
          first(identity)
        ),

      holder: (link) =>
        stored(
          sql<LinkHolder>`SELECT coalesce(u.account_id, w.account_id)::text AS account_id,
              i.workspace_id::text AS workspace_id, l.subject::text AS subject
            FROM ${our("sign_in_links")} l
            LEFT JOIN ${our("users")} u ON u.user_id = l.subject
            LEFT JOIN ${our("invitations")} i ON i.invitation_id = l.subject
            LEFT JOIN ${our("workspaces")} w ON w.workspace_id = i.workspace_id
            WHERE l.hash = decode(${link}::text, 'hex')`,
          first(identity)
        ),

      signInAs: ({ email, issuer, name, subject }, session, hash, { account, maximum, newUserId }) => {
        const known = stored(
          sql<User>`SELECT ${user} FROM ${our("sign_in_as")}(${issuer}::text, ${subject}::text, ${email}::text,
            ${name}::text, ${account === null}::boolean, ${newUserId}::uuid, ${maximum}::integer,
            ${JSON.stringify(session)}::text::jsonb, decode(${hash}::text, 'hex')) u`,
          first<User, User>(identity)
        )
        if (account === null || email === null) return known
        const opened = execute(openAccount(account.account, account.personal, account.owner))
        // The first statement locks the identity: who comes meanwhile finds the account.
        return orElse(known, transacted(sql, orElse(known, Effect.andThen(opened, known))))
      },

      authenticate: (hash, workspaceId, at) => {
        const { from, to } = freshRange(at.now)
        return stored(
          sql<AuthenticatedColumns>`WITH seen AS (
              UPDATE ${our("sessions")} SET last_seen_at = ${moment(at.now)}::timestamptz WHERE session_id = (
                SELECT s.session_id FROM ${our("sessions")} s WHERE s.hash = decode(${hash}::text, 'hex')
                  AND ${alive(at)} AND s.last_seen_at NOT BETWEEN ${moment(from)}::timestamptz AND ${
            moment(to)
          }::timestamptz
                FOR NO KEY UPDATE SKIP LOCKED)
              RETURNING last_seen_at
            )
            SELECT s.session_id::text AS session_id, s.created_at,
              coalesce((SELECT last_seen_at FROM seen), s.last_seen_at) AS last_seen_at, s.expires_at, s.user_agent,
              s.address, u.user_id::text AS user_id, u.account_id::text AS account_id, u.email, u.email_proof,
              u.name, u.created_at AS user_created_at, CASE WHEN w.workspace_id IS NULL THEN NULL ELSE m.role END AS role,
              json_build_object('workspace_id', w.workspace_id, 'account_id', w.account_id, 'name', w.name,
                'kind', w.kind, 'tier', w.tier, 'created_at', w.created_at, 'grandfathered', w.grandfathered,
                'suspended', w.suspended, 'overrides', w.overrides::text)::text AS workspace
            FROM ${our("sessions")} s JOIN ${our("users")} u ON u.user_id = s.user_id
            LEFT JOIN ${our("members")} m ON m.user_id = u.user_id AND m.workspace_id = ${workspaceId}::uuid
            LEFT JOIN ${our("workspaces")} w ON w.workspace_id = m.workspace_id
            WHERE s.hash = decode(${hash}::text, 'hex') AND ${alive(at)}`,
          first((row) => ({
            session: toSession(row),
            user: {
              user_id: row.user_id,
              account_id: row.account_id,
              email: row.email,
              email_proof: row.email_proof,
              name: row.name,
              created_at: row.user_created_at
            },
            membership: toMembership(row)
          }))
        )
      },

      list: (userId, at) =>
        stored(
          sql<Session>`SELECT ${columns} FROM ${our("sessions")} s
            WHERE s.user_id = ${userId}::uuid AND ${alive(at)} ORDER BY s.session_id DESC`,
          (rows) => rows.map(toSession)
        ),

      end: (userId, sessionId) =>
        stored(
          sql`DELETE FROM ${our("sessions")} WHERE user_id = ${userId}::uuid
            AND (${sessionId}::uuid IS NULL OR session_id = ${sessionId}::uuid) RETURNING 1 AS one`,
          (rows) => rows.length
        ),

      prune: (at) =>
        execute(
          sql`DELETE FROM ${our("sessions")} WHERE ctid = ANY (ARRAY(
            SELECT s.ctid FROM ${our("sessions")} s WHERE NOT (${alive(at)}) ${unlockedRows(sql)}))`
        )
    })
  })
)
