/** Fills an empty store with an export of another one, of any kind: all of it or nothing, in one transaction. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import { parseJson } from "@tributary/core/model/parseJson"
import type { ImportRefused } from "@tributary/core/transfer/ImportRefused"
import * as Format from "@tributary/core/transfer/TransferFormat"
import { transferredTables } from "@tributary/core/transfer/transferredTables"
import { Clock, Effect, Exit, Stream } from "effect"
import type { DatabaseUnusable } from "./DatabaseUnusable.ts"
import { openDatabase, orUnusable } from "./internal/openDatabase.ts"
import type { SqliteConnection, Value } from "./internal/SqliteConnection.ts"
import { decodeCell, exportedColumns, isIgnored } from "./internal/transferredColumns.ts"
import { nameMakers } from "./migrations/makers.ts"
import { proveStored } from "./migrations/proofs.ts"
import { jobWrites } from "./writes/jobs.ts"
import { CONSTRAINT, MISMATCH, resultCode } from "./internal/resultCodes.ts"

interface ImportOptions extends Format.ImportOptions {
  /** The database file, which no other process uses. It is created when it does not exist. */
  readonly path: string
}

/** The keys of the imported documents' texts, by document id. */
type Numbers = Map<unknown, number>

/** A value that its column does not take, or a row that is already present. */
const isUnfit = (error: unknown): boolean => {
  if (error instanceof SyntaxError || error instanceof TypeError) return true
  const code = resultCode(error)
  return code === CONSTRAINT || code === MISMATCH
}

/** Postgres cuts a long payload into several rows, and exports them in any order. All but the first wait here. */
const COLLECT_SLICES = "CREATE TABLE slices (document INTEGER, slice INTEGER, text TEXT, PRIMARY KEY (document, slice))"

const JOIN_SLICES = `
  UPDATE payloads SET text = text || (
    SELECT group_concat(s.text, '' ORDER BY s.slice) FROM slices s WHERE s.document = payloads.document
  ) WHERE document IN (SELECT document FROM slices);
  DROP TABLE slices;`

const insertBatch = (
  db: SqliteConnection,
  { columns, rows, table: { name, scope } }: Format.Batch,
  numbers: Numbers
) => {
  const isText = scope === "document"
  const kept = columns.filter((column) => !isIgnored(name, column))
  const stored = kept.map((column) => isText && column === "document_id" ? "document" : column)
  const insert = `INSERT INTO ${name} (${stored.map((column) => `"${column}"`).join(", ")})
    VALUES (${stored.map(() => "?").join(", ")})`
  for (const line of rows) {
    const row: Readonly<Record<string, unknown>> = parseJson(line)
    if (name === "payloads" && (row["slice"] ?? 0) !== 0) {
      const slice = ["slice", "text"].map((column) => decodeCell(column, row[column]))
      db.run("INSERT INTO slices VALUES (?, ?, ?)", numbers.get(row["document_id"]) ?? null, ...slice)
      continue
    }
    const values = stored.map((column, index): Value =>
      column === "document" ? numbers.get(row["document_id"]) ?? null : decodeCell(column, row[kept[index]!])
    )
    const id = db.insert(insert, ...values)
    if (name === "documents") numbers.set(row["document_id"], id)
  }
}

const isUsed = (db: SqliteConnection): boolean =>
  transferredTables.some(({ name }) => db.get(`SELECT 1 FROM ${name} LIMIT 1`) !== undefined)

const copy = Effect.fnUntraced(function*(db: SqliteConnection, { buildJob, lines }: ImportOptions) {
  if (isUsed(db)) return yield* Effect.fail(Format.storeNotEmpty())
  const counts: Record<string, number> = Object.fromEntries(transferredTables.map(({ name }) => [name, 0]))
  const numbers: Numbers = new Map()
  db.exec(COLLECT_SLICES)
  yield* Stream.runForEach(Format.batchesOf(lines), (batch) =>
    Effect.suspend(() => {
      const { columns, rows, table: { name } } = batch
      const known = exportedColumns(db, name)
      const unknown = columns.find((column) => !known.has(column) && !isIgnored(name, column))
      if (unknown !== undefined) return Effect.fail(Format.unknownColumn(name, unknown))
      try {
        insertBatch(db, batch, numbers)
      } catch (error) {
        return isUnfit(error) ? Effect.fail(Format.unfitValues()) : Effect.die(error)
      }
      counts[name]! += rows.length
      return Effect.void
    }))
  db.exec(JOIN_SLICES)
  // An export of before has neither proofs nor makers.
  db.exec(proveStored + nameMakers)
  const now = yield* Clock.currentTimeMillis
  const workspaces = db.all<{ readonly workspace_id: WorkspaceId }>("SELECT workspace_id FROM workspaces")
  for (const { workspace_id } of workspaces) jobWrites.enqueue(db, buildJob(workspace_id, now), null)
  return counts as Format.RowCounts
})

export const importStore = (
  options: ImportOptions
): Effect.Effect<Format.RowCounts, ImportRefused | DatabaseUnusable> =>
  Effect.scoped(
    Effect.flatMap(openDatabase({ path: options.path, fsync: true }), (db) =>
      Effect.acquireUseRelease(
        Effect.sync(() => db.exec("BEGIN IMMEDIATE")),
        () => copy(db, options),
        (_, exit) => Effect.sync(() => db.exec(Exit.isSuccess(exit) ? "COMMIT" : "ROLLBACK"))
      ))
  ).pipe(orUnusable(options.path))
