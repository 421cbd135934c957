/** Operators and their log in SQLite. */
import { type LogLink, OperatorStore } from "@tributary/core/ports/OperatorStore"
import { Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./rows/first.ts"
import { type OperatorColumns, toOperator } from "./rows/operatorRows.ts"

/** Greater than every id. */
const AFTER_ALL = "g"

export const layer = Layer.effect(
  OperatorStore,
  Effect.gen(function*() {
    const { read, write } = yield* Database

    return OperatorStore.of({
      insert: (operator, hash) => write("insertOperator", operator, hash),

      find: (hash) =>
        read((db) => first(db.get<OperatorColumns>("SELECT * FROM operators WHERE hash = ?", hash), toOperator)),

      list: (limit) =>
        read((db) =>
          db.all<OperatorColumns>(
            "SELECT * FROM operators WHERE operator_id < ? ORDER BY operator_id DESC LIMIT ?",
            AFTER_ALL,
            limit
          ).map(toOperator)
        ),

      remove: (operatorId) => Effect.map(write("removeOperator", operatorId), Option.fromNullOr),

      lastLink: Effect.map(
        read((db) =>
          db.get<LogLink>(
            "SELECT sequence, content, hash FROM operator_log WHERE sequence > 0 ORDER BY sequence DESC LIMIT 1"
          )
        ),
        Option.fromUndefinedOr
      ),

      append: (link) => write("appendLink", link),

      links: (after, limit) =>
        read((db) =>
          db.all<LogLink>(
            "SELECT sequence, content, hash FROM operator_log WHERE sequence > ? ORDER BY sequence LIMIT ?",
            after,
            limit
          )
        )
    })
  })
)
