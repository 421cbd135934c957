/** People on Postgres. */
import type { Invitation, Member, Membership, User } from "@tributary/core/model/Person"
import { type Invited, PeopleStore } from "@tributary/core/ports/PeopleStore"
import { Effect, identity, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import type { Columns } from "./internal/rows/Columns.ts"
import { bounded } from "./internal/bounded.ts"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { moment } from "./internal/moment.ts"
import { LEAST_ID, limitTo } from "./internal/page.ts"
import { userColumns } from "./internal/rows/userRows.ts"
import { unlockedRows } from "./internal/pruning.ts"
import { execute, storageErrors, stored } from "./internal/storageErrors.ts"
import { toWorkspace, type WorkspaceColumns, workspaceColumns } from "./internal/rows/workspaceRows.ts"

interface MembershipColumns extends WorkspaceColumns {
  readonly role: Membership["role"]
}

type InvitationColumns = Columns<Invitation, "created_by">

const toMembership = ({ role, ...workspace }: MembershipColumns): Membership => ({
  workspace: toWorkspace(workspace),
  role
})

type InvitedColumns = Omit<InvitationColumns, "created_at"> & WorkspaceColumns & { readonly invited_at: Date }

const toInvited = (row: InvitedColumns): Invited => {
  const { created_by, email, expires_at, invitation_id, invited_at, role, ...workspace } = row
  return {
    workspace: toWorkspace(workspace),
    invitation: toInvitation({ invitation_id, email, role, created_at: invited_at, created_by, expires_at })
  }
}

const toInvitation = (row: InvitationColumns): Invitation => ({ ...row, created_by: JSON.parse(row.created_by) })

export const layer = Layer.effect(
  PeopleStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { our, sql } = database
    const workspace = workspaceColumns(database)
    const user = userColumns(database)
    const unlocked = unlockedRows(sql)
    const invitation = sql.literal(`i.invitation_id::text AS invitation_id, i.email, i.role, i.created_at, i.created_by,
      i.expires_at`)
    const invitedAs = sql.literal(`i.invitation_id::text AS invitation_id, i.email, i.role,
      i.created_at AS invited_at, i.created_by, i.expires_at`)

    const membership = (userId: string, workspaceId: string) =>
      stored(
        sql<MembershipColumns>`SELECT ${workspace}, m.role FROM ${our("members")} m
          JOIN ${our("workspaces")} w ON w.workspace_id = m.workspace_id
          WHERE m.user_id = ${userId}::uuid AND m.workspace_id = ${workspaceId}::uuid`,
        first(toMembership)
      )

    /** The open invitations `i` that fit, with their workspaces `w`. */
    const invited = (now: Date, fits: Statement.Fragment) =>
      sql<InvitedColumns>`SELECT ${workspace}, ${invitedAs}
        FROM ${our("invitations")} i CROSS JOIN LATERAL (
          SELECT * FROM ${our("workspaces")} q WHERE q.workspace_id = i.workspace_id OFFSET 0
        ) w
        WHERE i.expires_at > ${moment(now)}::timestamptz AND ${fits}`

    return PeopleStore.of({
      owner: ({ account_id, created_at, email, email_proof, name, user_id }) =>
        stored(
          sql<User>`SELECT ${user} FROM ${our("own_account")}(${account_id}::uuid, ${user_id}::uuid, ${email}::text,
            ${name}::text, ${moment(created_at)}::timestamptz, ${email_proof}::text) u`,
          first(identity)
        ),

      setOwner: ({ account_id, created_at, email, email_proof, name, user_id }, at) =>
        stored(
          sql<User>`SELECT ${user} FROM ${our("give_account")}(${account_id}::uuid, ${user_id}::uuid,
            ${email}::text, ${email_proof}::text, ${name}::text, ${moment(created_at)}::timestamptz,
            ${moment(at)}::timestamptz) u`,
          first(identity)
        ),

      find: (userId) =>
        stored(sql<User>`SELECT ${user} FROM ${our("users")} u WHERE u.user_id = ${userId}::uuid`, first(identity)),

      findByEmail: (accountId, email, limit) =>
        stored(
          sql<User>`SELECT ${user} FROM ${our("users")} u WHERE u.email = ${email}::text
            AND ${accountId === null ? sql.literal("true") : sql`u.account_id = ${accountId}::uuid`}
            ORDER BY (u.email_proof = 'none') ${limitTo(sql, limit)}`,
          identity
        ),

      findByIdentity: ({ issuer, subject }) =>
        stored(
          sql<User>`SELECT ${user} FROM ${our("identities")} i JOIN ${our("users")} u ON u.user_id = i.user_id
            WHERE i.issuer = ${issuer}::text AND i.subject = ${subject}::text`,
          first(identity)
        ),

      update: (userId, { email = null, name = null }) =>
        stored(
          sql<User>`SELECT ${user} FROM ${our("change_user")}(${userId}::uuid, ${name}::text, ${email}::text) u`,
          first(identity)
        ),

      personal: (userId) =>
        stored(
          sql<WorkspaceColumns>`SELECT ${workspace} FROM ${our("members")} m
            JOIN ${our("workspaces")} w ON w.workspace_id = m.workspace_id
            WHERE m.user_id = ${userId}::uuid AND m.role = 'owner' AND w.kind = 'personal' ${limitTo(sql, 1)}`,
          first(toWorkspace)
        ),

      membership,

      memberships: (userId, { after, limit }) =>
        stored(
          sql<MembershipColumns>`SELECT ${workspace}, m.role FROM ${our("members")} m
            JOIN ${our("workspaces")} w ON w.workspace_id = m.workspace_id
            WHERE m.user_id = ${userId}::uuid AND m.workspace_id > ${after ?? LEAST_ID}::uuid
            ORDER BY m.workspace_id ${limitTo(sql, limit)}`,
          (rows) => rows.map(toMembership)
        ),

      members: (workspaceId, { after, limit }) =>
        stored(
          sql<Member>`SELECT u.user_id::text AS user_id, u.email, u.email_proof, u.name, m.role, m.joined_at
            FROM ${our("members")} m
            JOIN ${our("users")} u ON u.user_id = m.user_id
            WHERE m.workspace_id = ${workspaceId}::uuid AND m.user_id > ${after ?? LEAST_ID}::uuid
            ORDER BY m.user_id ${limitTo(sql, limit)}`,
          identity
        ),

      setRole: (workspaceId, userId, role) =>
        stored(
          sql<{ readonly outcome: "changed" | "absent" | "last_owner" }>`
            SELECT ${our("set_role")}(${workspaceId}::uuid, ${userId}::uuid, ${role}::text) AS outcome`,
          ([row]) => row!.outcome
        ),

      invite: (workspaceId, { created_at, created_by, email, expires_at, invitation_id, role }, maximum) =>
        stored(
          sql<{ readonly outcome: "invited" | "joined" | "present" | "full" }>`
            SELECT ${our("invite")}(${workspaceId}::uuid, ${invitation_id}::uuid, ${email}::text, ${role}::text,
              ${moment(created_at)}::timestamptz, ${JSON.stringify(created_by)}::text,
              ${moment(expires_at)}::timestamptz, ${maximum}::integer) AS outcome`,
          ([row]) => row!.outcome
        ),

      // As text, in the same order: that no plan goes through everybody's, which the table's key has in order.
      invitations: (workspaceId, now) =>
        stored(
          sql<InvitationColumns>`SELECT ${invitation} FROM ${our("invitations")} i
            WHERE i.workspace_id = ${workspaceId}::uuid AND i.expires_at > ${moment(now)}::timestamptz
            ORDER BY i.invitation_id::text DESC`,
          (rows) => rows.map(toInvitation)
        ),

      revokeInvitation: (workspaceId, invitationId) =>
        stored(
          sql<InvitationColumns>`WITH links AS (
              DELETE FROM ${our("sign_in_links")} l USING ${our("invitations")} i
                WHERE i.workspace_id = ${workspaceId}::uuid AND i.invitation_id = ${invitationId}::uuid
                  AND l.subject = i.invitation_id
            ) DELETE FROM ${our("invitations")} i
              WHERE i.workspace_id = ${workspaceId}::uuid AND i.invitation_id = ${invitationId}::uuid
              RETURNING ${invitation}`,
          first(toInvitation)
        ),

      received: (email, now, limit) =>
        stored(
          invited(
            now,
            sql`i.email = ${email}::text ORDER BY i.invitation_id::text DESC ${limitTo(sql, limit)}`
          ),
          (rows) => rows.map(toInvited)
        ),

      linked: (hash, now) =>
        stored(
          invited(
            now,
            sql`i.invitation_id = (SELECT l.subject FROM ${our("sign_in_links")} l
              WHERE l.hash = decode(${hash}::text, 'hex') AND l.expires_at > ${moment(now)}::timestamptz)`
          ),
          first(toInvited)
        ),

      join: (userId, by, now) => {
        const [invitationId, link] = "link" in by ? [null, by.link] : [by.invitation_id, null]
        return Effect.flatMap(
          stored(
            sql<{ readonly workspace_id: string | null }>`SELECT ${our("join_workspace")}(${userId}::uuid,
              ${invitationId}::uuid, decode(${link}::text, 'hex'), ${moment(now)}::timestamptz)::text AS workspace_id`,
            ([row]) => row?.workspace_id ?? null
          ),
          (workspaceId) => workspaceId === null ? Effect.succeedNone : membership(userId, workspaceId)
        )
      },

      decline: Effect.fnUntraced(function*(userId, invitationId) {
        const found = yield* stored(
          invited(new Date(0), sql`i.invitation_id = ${invitationId}::uuid`),
          first(toInvited)
        )
        const declined = yield* stored(
          sql<{ readonly declined: boolean }>`
            SELECT ${our("decline_invitation")}(${userId}::uuid, ${invitationId}::uuid) AS declined`,
          ([row]) => row?.declined === true
        )
        return declined ? found : Option.none()
      }),

      addLink: (hash, subject, expiresAt) => {
        const id = "user_id" in subject ? subject.user_id : subject.invitation_id
        return execute(
          sql`INSERT INTO ${our("sign_in_links")} AS l (hash, subject, expires_at)
            SELECT decode(${hash}::text, 'hex'), ${id}::uuid, ${moment(expiresAt)}::timestamptz
            WHERE EXISTS (SELECT FROM ${our("users")} WHERE user_id = ${id}::uuid)
              OR EXISTS (SELECT FROM ${our("invitations")} WHERE invitation_id = ${id}::uuid)
            ON CONFLICT (subject) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`
        )
      },

      prune: (now) =>
        storageErrors(Effect.asVoid(bounded(
          Effect.andThen(
            sql`DELETE FROM ${our("sign_in_links")} WHERE ctid = ANY (ARRAY(
              SELECT l.ctid FROM ${our("sign_in_links")} l WHERE l.expires_at <= ${moment(now)}::timestamptz
                ${unlocked}))`,
            sql`WITH gone AS (
                DELETE FROM ${our("invitations")} WHERE ctid = ANY (ARRAY(
                  SELECT i.ctid FROM ${our("invitations")} i WHERE i.expires_at <= ${moment(now)}::timestamptz
                    ${unlocked}))
                RETURNING invitation_id
              ) DELETE FROM ${our("sign_in_links")} l USING gone WHERE l.subject = gone.invitation_id`
          ).pipe(Effect.andThen(
            sql`SELECT ${our("drop_guests")}(ARRAY(SELECT u.user_id FROM ${our("users")} u WHERE u.account_id IS NULL
              ${unlocked}))::text`
          ))
        )))
    })
  })
)
