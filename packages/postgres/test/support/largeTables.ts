/** Many rows in every table of a schema, all of other workspaces than those of the tests. */
import type { SqlClient } from "effect/sql"
import { Effect } from "effect"

/** One workspace has most of the rows, with times after those of the tests, so that nothing prunes them. */
const LARGE = "'00000000-0000-7000-8000-000000000001'::uuid"
const LATER = "timestamptz '2100-01-01' + n * interval '1 second'"

const id = (table: number, number = "n"): string =>
  `('00000000-0000-7000-8000-${String(table).padStart(2, "0")}' || lpad(to_hex(${number}), 10, '0'))::uuid`

/** Realistic lengths: whether a table is scanned depends on its pages. */
const LONG = "repeat('long ', 160)"

const hash = (table: string): string => `sha256(convert_to('${table} ' || n, 'UTF8'))`

/** Each row's columns, in the order of the table, made from its number `n`. */
const ROWS: Readonly<Record<string, readonly [count: number, columns: string]>> = {
  accounts: [20_000, `${id(1)}, 'Account', NULL, 'pro', ${LATER}`],
  workspaces: [
    20_000,
    `CASE WHEN n = 1 THEN ${LARGE} ELSE ${id(2)} END, ${id(1)}, 'Home', 'personal', 'pro', ${LATER}, false, false, '{}'`
  ],
  api_keys: [
    20_000,
    `${id(3)}, ${id(2)}, ${hash("key")}, 'Key', 'hint', '{api:read}', ${LATER}, '{}', NULL, NULL, NULL`
  ],
  key_traffic: [40_000, `${id(3)}, date '2100-01-01' + n % 100, 1`],
  connectors: [20_000, `${id(2)}, ${id(4)}, 'Wiki', 'wiki', ${LATER}, '{}', true, '{}', '{}'`],
  rate_windows: [20_000, `${id(2)}, 'search', ${LATER}, ${LATER}, 1, true`],
  counters: [20_000, `${id(2)}, 1, 1, 1, 1, 1`],
  knowledge: [20_000, `${id(2)}, NULL, 1, 1`],
  snapshots: [
    20_000,
    `${id(2)}, 1, ${id(5)}, 1, 1, '{}', ${LATER}, NULL, '[]', '{}', 1, 0, CASE WHEN n % 2 = 0 THEN ${LATER} END`
  ],
  segments: [20_000, `${LARGE}, 'segment ' || n, 0, 'x'`],
  documents: [
    40_000,
    `${LARGE}, ${id(6)}, ${id(4, "1")}, 'document ' || n, n, 'wiki', 'custom', 'Title', NULL, 100, 100, ${LATER},
      NULL, ${LONG}, 'fingerprint', ${LATER}, ${LATER}`
  ],
  chunks: [40_000, `${id(6)}, 0, 0, repeat('text ', 20)`],
  payloads: [20_000, `${id(6)}, 0, '{}'`],
  tombstones: [40_000, `${LARGE}, ${id(7)}, n`],
  events: [
    40_000,
    `${LARGE}, n, ${id(8)}, 'document.created', 'wiki', 'custom', 'document ' || n, ${id(6)}, ${LATER}, ${LATER},
      ${LONG}`
  ],
  jobs: [
    40_000,
    `${
      id(9)
    }, ${LARGE}, 'other', 'key ' || n, ${LONG}, 'succeeded', 1, 3, 60, ${LATER}, ${LATER}, ${LATER}, ${LATER}, NULL,
      NULL, NULL, NULL, NULL, ${LATER}`
  ],
  users: [
    20_000,
    `${id(10)}, ${id(1)}, 'person' || n || '@example.com', 'Person', ${LATER},
    'operator'`
  ],
  members: [20_000, `CASE WHEN n % 2 = 0 THEN ${LARGE} ELSE ${id(2)} END, ${id(10)}, 'member', ${LATER}`],
  invitations: [
    20_000,
    `${id(11)}, ${LARGE}, ${id(1)}, 'guest' || n || '@example.com', 'member', ${LATER}, '{}', ${LATER}`
  ],
  identities: [20_000, `'issuer', 'subject ' || n, ${id(10)}`],
  sign_in_links: [20_000, `${hash("link")}, ${id(10)}, ${LATER}`],
  sessions: [20_000, `${id(12)}, ${id(10)}, ${hash("session")}, ${LATER}, ${LATER}, ${LATER}, NULL, NULL`],
  audit_log: [40_000, `${id(13)}, ${id(1, "1")}, ${LARGE}, 'made', '{}', 'subject', ${LONG}, NULL, ${LATER}`],
  operators: [20_000, `${id(15)}, ${hash("operator")}, 'Operator', 'hint', '{operator:read}', ${LATER}, NULL`],
  operator_log: [40_000, `n, ${LONG}, ${hash("link")}`],
  connections: [
    20_000,
    `CASE WHEN n % 2 = 0 THEN ${LARGE} ELSE ${id(2)} END, ${
      id(14)
    }, 'folder', 'Folder', '{}', NULL, '{}', '{}', ${LATER},
      '{}', 'active', NULL, 1`
  ],
  sync_states: [40_000, `${LARGE}, ${id(14)}, 'resource', ${id(9)}, ${LATER}, false, '{}', NULL`],
  webhooks: [
    20_000,
    `CASE WHEN n % 2 = 0 THEN ${LARGE} ELSE ${id(2)} END, ${
      id(15)
    }, 'https://example.com', '[]', 'active', NULL, NULL, 0, NULL, 'sealed', NULL, ${LATER}, '{}', 1,
      '{}', ${LATER}, 1`
  ],
  webhook_deliveries: [
    40_000,
    `${LARGE}, ${id(15, "2")}, n, ${id(16)}, 'document.created', 'document ' || n, ${LONG}, ${LATER},
      CASE WHEN n % 100 = 0 THEN 'pending' ELSE 'succeeded' END, 1, CASE WHEN n % 100 = 0 THEN ${LATER} END, NULL`
  ],
  usage_days: [20_000, `${id(2)}, date '2100-01-01', 1, 1`],
  usage_counts: [40_000, `${LARGE}, date '2100-01-01' + n % 100, 'operation ' || n, 'ok', 1, 1`],
  usage_writers: [20_000, `${id(17)}, n, date '2100-01-01'`],
  sync_runs: [
    40_000,
    `${LARGE}, ${id(14)}, 'resource', ${id(16)}, 'completed', ${LATER}, ${LATER}, 1, 0, 0, '[]', NULL, NULL`
  ],
  source_deletions: [40_000, `${LARGE}, ${id(14, "2")}, 'resource', 'document ' || n`],
  questions: [
    40_000,
    `${LARGE}, ${id(15)}, ${LONG}, n % 2 = 0, 'extractive', '[]', 1, ${LATER}, '{}', NULL, NULL, '[]'`
  ]
}

/** Nothing is analyzed unless a test does it. */
export const fillTables = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, schema: string, most = Infinity) {
  const tables = yield* sql<{ readonly name: string }>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r' AND relname <> 'migrations'`
  for (const { name } of tables) {
    const [count, columns] = ROWS[name] ?? [0, ""]
    if (count === 0) return yield* Effect.die(new Error(`largeTables.ts has no rows for the table ${name}`))
    yield* sql.unsafe(`ALTER TABLE ${schema}.${name} SET (autovacuum_enabled = off)`)
    yield* sql.unsafe(
      `INSERT INTO ${schema}.${name} SELECT ${columns} FROM generate_series(1, ${Math.min(count, most)}) AS n`
    )
  }
})
