/** API keys on Postgres. */
import { KnownSegments } from "@tributary/core/KnownSegments"
import { type ApiKey, keyOf, type KeyTraffic } from "@tributary/core/model/ApiKey"
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { ApiKeyStore, type HashedKey } from "@tributary/core/ports/ApiKeyStore"
import { RequestHead } from "@tributary/core/ports/RequestHead"
import { freshRange } from "@tributary/core/ports/lastUse"
import { Effect, Layer, Option } from "effect"
import type { Columns } from "./internal/rows/Columns.ts"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { type HeadColumns, headColumns, segmentsIn, toHead } from "./internal/rows/headRows.ts"
import { moment } from "./internal/moment.ts"
import { execute, stored } from "./internal/storageErrors.ts"

type KeyColumns = Columns<ApiKey, "created_by">

/** The workspace's columns, apart from those of the same name that the key has. */
interface AuthenticatedColumns
  extends KeyColumns, Pick<WorkspaceRecord, "account_id" | "kind" | "tier" | "grandfathered" | "suspended">
{
  readonly workspace_id: WorkspaceRecord["workspace_id"]
  readonly workspace_name: string
  readonly workspace_created_at: Date
  readonly overrides: string
}

const toKey = (row: KeyColumns): ApiKey => ({
  key_id: row.key_id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  created_at: row.created_at,
  created_by: JSON.parse(row.created_by),
  last_used_at: row.last_used_at,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at
})

const toWorkspace = (row: AuthenticatedColumns): WorkspaceRecord => ({
  workspace_id: row.workspace_id,
  account_id: row.account_id,
  name: row.workspace_name,
  kind: row.kind,
  tier: row.tier,
  created_at: row.workspace_created_at,
  grandfathered: row.grandfathered,
  suspended: row.suspended,
  overrides: JSON.parse(row.overrides)
})

/** Stores a key: one row, or none if its workspace or the key that created it is gone. */
export const insertKey =
  ({ our, sql }: Database["Service"]) => (workspaceId: WorkspaceId, { hash, key }: HashedKey) => {
    const maker = keyOf(key.created_by)
    // The locks block a concurrent closing of the workspace and a revocation of the creator, in the order in which the
    // closing takes them.
    return sql`WITH opened AS MATERIALIZED (
              SELECT w.workspace_id FROM ${
      our("workspaces")
    } w WHERE w.workspace_id = ${workspaceId}::uuid FOR KEY SHARE
            ), allowed AS MATERIALIZED (SELECT o.workspace_id FROM opened o ${
      maker === null
        ? sql``
        : sql`JOIN ${our("api_keys")} m ON m.key_id = ${maker}::uuid AND m.revoked_at IS NULL
                AND (m.expires_at IS NULL OR m.expires_at > ${moment(key.created_at)}::timestamptz) FOR SHARE OF m`
    })
            INSERT INTO ${our("api_keys")} (key_id, workspace_id, hash, name, hint, scopes, created_at, created_by,
              last_used_at, expires_at, revoked_at, made_by)
            SELECT ${key.key_id}::uuid, a.workspace_id, decode(${hash}::text, 'hex'), ${key.name}::text,
              ${key.hint}::text,
              ${arrayLiteral(key.scopes)}::text[], ${moment(key.created_at)}::timestamptz,
              ${JSON.stringify(key.created_by)}::text, ${moment(key.last_used_at)}::timestamptz,
              ${moment(key.expires_at)}::timestamptz,
              ${moment(key.revoked_at)}::timestamptz, ${maker}::uuid
            FROM allowed a
            RETURNING 1 AS one`
  }

export const layer = Layer.effect(
  ApiKeyStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { our, sql } = database
    const insert = insertKey(database)
    /** By the hash of the key. */
    const lists = new KnownSegments()
    const workspaceOfKey = sql.literal(`w.workspace_id::text AS workspace_id, w.account_id::text AS account_id,
      w.name AS workspace_name, w.kind, w.tier, w.created_at AS workspace_created_at, w.grandfathered, w.suspended,
      w.overrides::text AS overrides`)
    const columns = sql.literal(`k.key_id::text AS key_id, k.name, k.hint, k.scopes, k.created_at, k.created_by,
      k.last_used_at, k.expires_at, k.revoked_at`)

    return ApiKeyStore.of({
      insert: (workspaceId, key, hash) => stored(insert(workspaceId, { key, hash }), (rows) => rows.length === 1),

      // A key that others are noting as used is not waited for. Every request begins here: where queries take turns, it
      // does not queue behind the others' work.
      authenticate: Effect.fnUntraced(function*(hash, now) {
        const place = yield* RequestHead
        const known = lists.get(hash)
        const { from, to } = freshRange(now)
        const head = place === null
          ? { columns: sql.literal(""), join: sql.literal("") }
          : {
            columns: sql`, ${headColumns(sql, known)}`,
            join: sql`CROSS JOIN LATERAL ${our("standing")}(w.workspace_id) h`
          }
        return yield* stored(
          sql<AuthenticatedColumns & HeadColumns>`WITH used AS (
              UPDATE ${our("api_keys")} SET last_used_at = ${moment(now)}::timestamptz WHERE key_id = (
                SELECT key_id FROM ${our("api_keys")}
                  WHERE hash = decode(${hash}::text, 'hex') AND revoked_at IS NULL
                    AND (expires_at IS NULL OR expires_at > ${moment(now)}::timestamptz)
                    AND (last_used_at IS NULL
                      OR last_used_at NOT BETWEEN ${moment(from)}::timestamptz AND ${moment(to)}::timestamptz)
                  FOR NO KEY UPDATE SKIP LOCKED)
              RETURNING last_used_at
            )
            SELECT k.key_id::text AS key_id, k.name, k.hint, k.scopes, k.created_at, k.created_by,
              coalesce((SELECT last_used_at FROM used), k.last_used_at) AS last_used_at, k.expires_at, k.revoked_at,
              w.workspace_id::text AS workspace_id, w.account_id::text AS account_id, w.name AS workspace_name, w.kind,
              w.tier, w.created_at AS workspace_created_at, w.grandfathered, w.suspended, w.overrides::text AS overrides
              ${head.columns}
            FROM ${our("api_keys")} k JOIN ${our("workspaces")} w ON w.workspace_id = k.workspace_id ${head.join}
            WHERE k.hash = decode(${hash}::text, 'hex') AND k.revoked_at IS NULL
              AND (k.expires_at IS NULL OR k.expires_at > ${moment(now)}::timestamptz)`,
          ([row]) => {
            if (row === undefined) return Option.none()
            place?.leave(row.workspace_id, toHead(row, segmentsIn(lists, hash, known)))
            return Option.some({ key: toKey(row), workspace: toWorkspace(row) })
          }
        )
      }),

      findValid: (keyId, now) =>
        stored(
          sql<AuthenticatedColumns & { readonly hash: string }>`SELECT ${columns}, ${workspaceOfKey},
              encode(k.hash, 'hex') AS hash
            FROM ${our("api_keys")} k JOIN ${our("workspaces")} w ON w.workspace_id = k.workspace_id
            WHERE k.key_id = ${keyId}::uuid AND k.revoked_at IS NULL
              AND (k.expires_at IS NULL OR k.expires_at > ${moment(now)}::timestamptz)`,
          first((row) => ({ key: toKey(row), workspace: toWorkspace(row), hash: row.hash }))
        ),

      list: (workspaceId) =>
        stored(
          sql<KeyColumns>`SELECT ${columns} FROM ${our("api_keys")} k WHERE k.workspace_id = ${workspaceId}::uuid
            ORDER BY k.created_at DESC, k.key_id DESC`,
          (rows) => rows.map(toKey)
        ),

      revoke: (keyId, within, now) =>
        stored(
          sql<{ readonly found: boolean }>`SELECT ${our("revoke_key")}(${keyId}::uuid, ${within}::uuid,
            ${moment(now)}::timestamptz) AS found`,
          ([row]) => row?.found === true
        ).pipe(Effect.flatMap((found) =>
          found
            ? stored(
              sql<AuthenticatedColumns>`SELECT ${columns}, ${workspaceOfKey}
                FROM ${our("api_keys")} k JOIN ${our("workspaces")} w ON w.workspace_id = k.workspace_id
                WHERE k.key_id = ${keyId}::uuid`,
              first((row) => ({ key: toKey(row), workspace: toWorkspace(row) }))
            )
            : Effect.succeedNone
        )),

      countRequests: (counts) =>
        execute(
          sql`INSERT INTO ${our("key_traffic")} AS t (key_id, day, requests)
            SELECT k.key_id, c.day, c.requests
            FROM unnest(${arrayLiteral(counts.map(({ key_id }) => key_id))}::uuid[],
              ${arrayLiteral(counts.map(({ day }) => day))}::date[],
              ${arrayLiteral(counts.map(({ requests }) => String(requests)))}::bigint[]) AS c(key_id, day, requests)
            JOIN ${our("api_keys")} k ON k.key_id = c.key_id
            ORDER BY k.key_id, c.day FOR KEY SHARE OF k
            ON CONFLICT (key_id, day) DO UPDATE SET requests = t.requests + excluded.requests`
        ),

      traffic: (workspaceId, since) =>
        stored(
          sql<KeyTraffic>`SELECT t.key_id::text AS key_id, to_char(t.day, 'YYYY-MM-DD') AS day,
              t.requests::float8 AS requests
            FROM ${our("api_keys")} k JOIN ${our("key_traffic")} t ON t.key_id = k.key_id
            WHERE k.workspace_id = ${workspaceId}::uuid AND t.day >= ${since}::date ORDER BY t.key_id, t.day`,
          (rows) => rows
        ),

      pruneTraffic: (day) => execute(sql`DELETE FROM ${our("key_traffic")} WHERE day < ${day}::date`)
    })
  })
)
