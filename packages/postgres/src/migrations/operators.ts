/** Operators of the service, and the log of what they did: of links with the same sequence, one is written. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE TABLE ${schema}.operators (
    operator_id uuid PRIMARY KEY,
    hash bytea NOT NULL UNIQUE,
    name text NOT NULL,
    hint text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz
  )`,
  `CREATE TABLE ${schema}.operator_log (
    sequence bigint PRIMARY KEY,
    content text NOT NULL,
    hash bytea NOT NULL
  )`
]

export const operators: Migration = { name: "operators", oldestCompatible: 1, statements }
