/** Refuses to start where row-level security is on and the host does not know, or the other way round. */
import { Effect } from "effect"
import { UnsupportedDatabase } from "../UnsupportedDatabase.ts"
import { Database } from "./Database.ts"

interface RoleRights {
  readonly role: string
  /** Tables without and with policies in force for the role. */
  readonly open: ReadonlyArray<string>
  readonly held: ReadonlyArray<string>
  readonly may_act: boolean
  readonly inherits: boolean
}

const problemOf = ({ held, inherits, may_act, open, role }: RoleRights, systemRole: string | null): string | null => {
  if (systemRole === null) {
    return held.length === 0 ? null : `Row-level security holds the role "${role}" to the rows of one workspace. ` +
      "Name the role for work across workspaces, for a server in TRIBUTARY_DATABASE_SYSTEM_ROLE, or connect as the " +
      "owner of the tables."
  }
  if (open.length > 0) {
    return `Row-level security does not hold the role "${role}" on ${open.join(", ")}. ` +
      "Call secure_rows as the owner of the tables, and connect as the role that is named there; " +
      `or do not name a system role, here "${systemRole}".`
  }
  if (inherits) {
    return `The role "${role}" has the rights of "${systemRole}" by itself. Make it NOINHERIT before the GRANT.`
  }
  return may_act ? null : `The role "${role}" may not act as "${systemRole}". GRANT ${systemRole} TO ${role}.`
}

export const checkRowSecurity = Effect.gen(function*() {
  const { our, schema, sql, systemRole } = yield* Database
  const active = sql`row_security_active(format('%I.%I', ${schema}::text, t.relation))`
  const inSystem = (right: string) =>
    sql`coalesce((
    SELECT pg_has_role(s.oid, ${right}::text) FROM pg_catalog.pg_roles s WHERE s.rolname = ${systemRole}::text), false)`
  const [rights] = yield* sql<RoleRights>`SELECT current_user::text AS role,
      coalesce(array_agg(t.relation::text ORDER BY t.relation) FILTER (WHERE NOT ${active}), '{}') AS open,
      coalesce(array_agg(t.relation::text ORDER BY t.relation) FILTER (WHERE ${active}), '{}') AS held,
      ${inSystem("MEMBER")} AS may_act, ${inSystem("USAGE")} AS inherits
    FROM ${our("rows_of_workspaces")}() t`
  const message = problemOf(rights!, systemRole)
  if (message !== null) return yield* new UnsupportedDatabase({ message })
})
