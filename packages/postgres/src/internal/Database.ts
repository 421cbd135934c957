/**
 * The host's client, and our names in it.
 *
 * Every name is qualified with the schema: the host's connections keep their own `search_path`, and other software may
 * share them. The schema's name is part of the text of statements, so only a plain form is allowed.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { UnsupportedDatabase } from "../UnsupportedDatabase.ts"

export class Database extends Context.Service<Database, {
  /** Returns raw rows, whatever name transformation the host's client applies. */
  readonly sql: SqlClient.SqlClient
  readonly schema: string
  /** With row-level security: the role for work across workspaces. */
  readonly systemRole: string | null
  /** The qualified name of one of our tables or functions. */
  readonly our: (name: string) => Statement.Identifier
  /** Whether the workspace is open: a closed one has no row, while its other rows are still being erased. */
  readonly isOpen: (workspaceId: string) => Statement.Fragment
}>()("@tributary/postgres/Database") {
  static readonly layer = (schema: string, systemRole: string | null = null) =>
    Layer.effect(
      Database,
      Effect.gen(function*() {
        if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith("pg_")) {
          return yield* new UnsupportedDatabase({
            message: `"${schema}" cannot be the schema's name: it takes lower-case letters, digits and underscores, ` +
              `at most 63, does not begin with a digit, and not with "pg_", which belongs to Postgres.`
          })
        }
        const sql = (yield* SqlClient.SqlClient).withoutTransforms()
        const our = (name: string) => sql(`${schema}.${name}`)
        const isOpen = (workspaceId: string) =>
          sql`EXISTS (SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = ${workspaceId}::uuid)`
        return Database.of({ sql, schema, systemRole, our, isOpen })
      })
    )
}
