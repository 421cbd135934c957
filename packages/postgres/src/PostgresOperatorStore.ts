/** Operators and their log on Postgres. */
import type { Operator } from "@tributary/core/model/Operator"
import { type LogLink, OperatorStore } from "@tributary/core/ports/OperatorStore"
import { Effect, identity, Layer } from "effect"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { moment } from "./internal/moment.ts"
import { GREATEST_ID, limitTo } from "./internal/page.ts"
import { execute, stored } from "./internal/storageErrors.ts"

export const layer = Layer.effect(
  OperatorStore,
  Effect.gen(function*() {
    const { our, sql } = yield* Database
    const operator = sql.literal("operator_id::text AS operator_id, name, hint, scopes, created_at, expires_at")
    const link = sql.literal("sequence::double precision AS sequence, content, encode(hash, 'hex') AS hash")

    return OperatorStore.of({
      insert: (operator, hash) =>
        execute(
          sql`INSERT INTO ${our("operators")} (operator_id, hash, name, hint, scopes, created_at, expires_at)
            VALUES (${operator.operator_id}::uuid, decode(${hash}::text, 'hex'), ${operator.name}::text,
              ${operator.hint}::text, ${arrayLiteral(operator.scopes)}::text[],
              ${moment(operator.created_at)}::timestamptz, ${moment(operator.expires_at)}::timestamptz)`
        ),

      find: (hash) =>
        stored(
          sql<Operator>`SELECT ${operator} FROM ${our("operators")} WHERE hash = decode(${hash}::text, 'hex')`,
          first(identity)
        ),

      list: (limit) =>
        stored(
          sql<Operator>`SELECT ${operator} FROM ${our("operators")} o
            WHERE o.operator_id <= ${GREATEST_ID}::uuid ORDER BY o.operator_id DESC ${limitTo(sql, limit)}`,
          (rows) => rows
        ),

      remove: (operatorId) =>
        stored(
          sql<Operator>`DELETE FROM ${our("operators")} WHERE operator_id = ${operatorId}::uuid RETURNING ${operator}`,
          first(identity)
        ),

      lastLink: stored(
        sql<LogLink>`SELECT ${link} FROM ${
          our("operator_log")
        } l WHERE l.sequence > 0 ORDER BY l.sequence DESC LIMIT 1`,
        first(identity)
      ),

      append: ({ content, hash, sequence }) =>
        stored(
          sql`INSERT INTO ${our("operator_log")} (sequence, content, hash)
            VALUES (${sequence}::bigint, ${content}::text, decode(${hash}::text, 'hex'))
            ON CONFLICT DO NOTHING RETURNING 1 AS one`,
          (rows) => rows.length === 1
        ),

      links: (after, limit) =>
        stored(
          sql<LogLink>`SELECT ${link} FROM ${our("operator_log")} l WHERE l.sequence > ${after}::bigint
            ORDER BY l.sequence ${limitTo(sql, limit)}`,
          (rows) => rows
        )
    })
  })
)
