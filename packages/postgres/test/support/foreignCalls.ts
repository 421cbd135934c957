/**
 * Ports that make each call for a workspace with the scope of another one first. It has to answer as for a workspace
 * that is absent, or be refused, and to change nothing.
 */
import { assert } from "@effect/vitest"
import { Cause, type Context, Effect, Exit, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { isDeepStrictEqual } from "node:util"
import type { RowScopes } from "../../src/internal/rowScopes.ts"
import { newUuid } from "./source.ts"

/** The workspace whose scope is set. */
const FOREIGN = newUuid()

/** By port and method: whether a call in its own scope found or changed something. */
export type Asked = Map<string, boolean>

interface Outcome {
  readonly _tag: "Outcome"
  readonly exit: Exit.Exit<unknown, unknown>
  readonly changes: number
}

/** The first parameter of a statement is its scope. */
const asForeign = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Statement.CurrentTransformer, (statement, sql) => {
    const at = statement.segments.findIndex(({ _tag }) => _tag === "Parameter")
    assert.notStrictEqual(at, -1)
    return Effect.succeed(sql`${Statement.fragment(statement.segments.with(at, Statement.parameter(FOREIGN)))}`)
  })

const renamed = (value: unknown, from: string, to: string): unknown => {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => renamed(one, from, to))
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one, from, to)]))
}

const isRefused = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("violates row-level security policy")

export const layer = <Id, Port extends object>(
  tag: Context.Key<Id, Port>,
  scopes: RowScopes<Port>,
  schema: string,
  asked: Asked
) =>
  Layer.effect(
    tag,
    Effect.gen(function*() {
      const port = yield* tag
      const sql = yield* SqlClient.SqlClient
      const scopeOf = new Map<string, unknown>(Object.entries(scopes))

      /** The count of this connection includes earlier transactions that it has not reported yet. */
      const changes = Effect.map(
        sql<{ readonly changes: number }>`SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::integer AS changes
          FROM pg_stat_xact_user_tables WHERE schemaname = ${schema}`,
        ([row]) => row!.changes
      )

      /** In a transaction that is rolled back. */
      const tried = (call: Effect.Effect<unknown, unknown>) =>
        Effect.gen(function*() {
          const before = yield* changes
          const exit = yield* Effect.exit(call)
          const after = Exit.isFailure(exit) ? before : yield* changes
          return yield* Effect.fail<Outcome>({ _tag: "Outcome", exit, changes: after - before })
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die), Effect.flip)

      const check = Effect.fnUntraced(function*(
        name: string,
        call: (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>,
        args: ReadonlyArray<unknown>
      ) {
        const method = `${tag.key.split("/").at(-1)}.${name}`
        const scope = scopeOf.get(name)
        const workspaceId = String(typeof scope === "function" ? scope(...args) : args[0])
        const elsewhere = args.map((one) => renamed(one, workspaceId, newUuid()))
        const absent = yield* tried(call(...elsewhere))
        const foreign = yield* tried(asForeign(call(...args)))
        if (!isRefused(foreign.exit)) {
          assert.deepStrictEqual(foreign.exit, absent.exit, name)
          assert.strictEqual(foreign.changes, 0, name)
        }
        if (asked.get(method) === true) return
        const own = yield* tried(call(...args))
        const differs = own.changes > 0 || !isDeepStrictEqual(own.exit, absent.exit)
        asked.set(method, differs)
      })

      const entries = Object.entries(port).map(([name, member]) => {
        if (typeof member !== "function" || scopeOf.get(name) === "all") return [name, member]
        asked.set(`${tag.key.split("/").at(-1)}.${name}`, false)
        return [name, (...args: ReadonlyArray<unknown>) => Effect.andThen(check(name, member, args), member(...args))]
      })
      return Object.fromEntries(entries)
    })
  )
