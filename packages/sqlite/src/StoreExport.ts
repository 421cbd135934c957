/**
 * Exports a whole store as the lines of an export. All lines show one moment, also while a server writes: they are read
 * in one transaction.
 */
import * as Format from "@tributary/core/transfer/TransferFormat"
import { type TransferredTable, transferredTables } from "@tributary/core/transfer/transferredTables"
import { Clock, Effect } from "effect"
import type { DatabaseUnusable } from "./DatabaseUnusable.ts"
import { openForReading } from "./internal/openDatabase.ts"
import type { SqliteConnection } from "./internal/SqliteConnection.ts"
import { encodeRow, exportedColumns, rowsInScope } from "./internal/transferredColumns.ts"

interface ExportOptions<E> extends Format.ExportOptions<E> {
  /** The database file. */
  readonly path: string
}

const rowsOf = ({ name, scope }: TransferredTable): string =>
  scope === "document"
    ? `FROM ${name} t JOIN documents d ON d.id = t.document WHERE ${rowsInScope.document}`
    : `FROM ${name} t WHERE ${rowsInScope[scope]}`

const chosen = (columns: ReadonlyMap<string, string>): string =>
  [...columns].map(([name, expression]) => `${expression} AS "${name}"`).join(", ")

const copy = <E>(db: SqliteConnection, write: Format.ExportOptions<E>["write"]) =>
  Effect.gen(function*() {
    const counts = transferredTables.map((table) =>
      db.get<{ readonly rows: number }>(`SELECT count(*) AS rows ${rowsOf(table)}`)!.rows
    )
    const total = counts.reduce((sum, rows) => sum + rows, 0)
    const head: Format.Head = {
      product: "tributary",
      format: Format.TRANSFER_FORMAT,
      migration: 0,
      exported_at: new Date(yield* Clock.currentTimeMillis).toISOString(),
      rows: total
    }
    yield* write(`${JSON.stringify(head)}\n`, 0, total)
    let done = 0
    for (const [index, table] of transferredTables.entries()) {
      const rows = counts[index]!
      // A section without rows would hide the loss of a line.
      if (rows === 0) continue
      const columns = exportedColumns(db, table.name)
      const section: typeof Format.Section.Type = { table: table.name, columns: [...columns.keys()], rows }
      yield* write(`${JSON.stringify(section)}\n`, done, total)
      let page: Array<string> = []
      for (
        const row of db.iterate<Record<string, string | number | null>>(
          `SELECT ${chosen(columns)} ${rowsOf(table)}`
        )
      ) {
        page.push(`${encodeRow(row)}\n`)
        if (++done % table.page !== 0) continue
        yield* write(page.join(""), done, total)
        page = []
      }
      if (page.length > 0) yield* write(page.join(""), done, total)
    }
    return Object.fromEntries(transferredTables.map(({ name }, index) => [name, counts[index]!]))
  })

export const exportStore = <E>(
  { path, write }: ExportOptions<E>
): Effect.Effect<Format.RowCounts, E | DatabaseUnusable> =>
  Effect.scoped(
    Effect.flatMap(openForReading(path), (db) =>
      Effect.acquireUseRelease(
        Effect.sync(() => db.exec("BEGIN")),
        () => copy(db, write),
        () => Effect.sync(() => db.exec("ROLLBACK"))
      ))
  )
