/**
 * With row-level security, each statement of a port has a parameter that sets the workspace it acts for: see the
 * migration `row_security`.
 */
import { type Context, Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import type { SqlClient } from "effect/sql/SqlClient"
import { Database } from "./Database.ts"
import type { RowScopes } from "./rowScopes.ts"

const WITH = /^\s*WITH\s/

/** Nothing refers to it, so it is not run: only its parameter is bound. */
const added = (sql: SqlClient, name: string, parameter: Statement.Fragment, statement: Statement.Fragment) => {
  const bound = sql`WITH ${sql.literal(name)} AS (SELECT ${parameter})`
  const [first, ...rest] = statement.segments
  if (first?._tag !== "Literal" || !WITH.test(first.value)) return sql`${bound} ${statement}`
  const others = Statement.fragment([Statement.literal(first.value.replace(WITH, ""), first.params), ...rest])
  return sql`${bound}, ${others}`
}

/**
 * Gives every statement of an effect one more parameter: what the check of its type does takes no round trip. It is
 * bound before what is added further inside, and comes after the host's own statement hook.
 */
export const withParameter =
  (name: string) => <A, E, R>(effect: Effect.Effect<A, E, R>, sql: SqlClient, parameter: Statement.Fragment) =>
    Effect.flatMap(
      Statement.CurrentTransformer,
      (host) =>
        Effect.provideService(effect, Statement.CurrentTransformer, (statement, make, fiber, span) => {
          const whole = added(sql, name, parameter, statement)
          return host === undefined ? Effect.succeed(whole) : host(whole, make, fiber, span)
        })
    )

/** Every statement of `effect` runs in this scope. */
const scoped = withParameter("scope")

type Scope = "all" | "own" | ((...args: ReadonlyArray<unknown>) => unknown)

const firstArgument: Scope = (workspaceId) => workspaceId

/** The port with each of its methods held to its rows; the port itself where row-level security is off. */
const secure = <Port extends object>(
  port: Port,
  scopes: RowScopes<Port>,
  { our, sql, systemRole }: Database["Service"]
): Port => {
  if (systemRole === null) return port
  const ofAll = sql`${systemRole}::${our("as_role")}`
  const scopeOf = new Map<string, Scope>(Object.entries(scopes))
  const secured = Object.entries(port).map(([name, member]) => {
    if (typeof member !== "function") return [name, scoped(member, sql, ofAll)]
    const scope = scopeOf.get(name) ?? firstArgument
    if (scope === "own") return [name, member]
    const fragment = (args: ReadonlyArray<unknown>) =>
      scope === "all" ? ofAll : sql`${scope(...args)}::${our("for_workspace")}`
    return [name, (...args: ReadonlyArray<unknown>) => scoped(member(...args), sql, fragment(args))]
  })
  return Object.fromEntries(secured)
}

export const layer = <Id, Port extends object, E, R>(
  tag: Context.Key<Id, Port>,
  port: Layer.Layer<Id, E, R>,
  scopes: RowScopes<Port>
): Layer.Layer<Id, E, R | Database> =>
  Layer.effect(tag, Effect.map(Effect.all([tag, Database]), ([port, database]) => secure(port, scopes, database))).pipe(
    Layer.provide(port)
  )

/** The server's own work on the rows of all workspaces. */
export const acrossWorkspaces = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Database,
    ({ our, sql, systemRole }) =>
      systemRole === null ? effect : scoped(effect, sql, sql`${systemRole}::${our("as_role")}`)
  )

/** The same, for the rest of a transaction. */
export const beginAcrossWorkspaces = Effect.flatMap(
  Database,
  ({ our, sql, systemRole }) =>
    systemRole === null ? Effect.void : Effect.asVoid(sql`SELECT ${systemRole}::${our("as_role")}::text`)
)
