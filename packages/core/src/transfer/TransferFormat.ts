/**
 * The lines of an export: a head, and for each table a line that names its columns and counts its rows, followed by the
 * rows. A row is JSON as Postgres writes it: dates as ISO 8601, binary values as hexadecimal digits.
 */
import { type Effect, Schema, Stream } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { NewJob } from "../ports/JobStore.ts"
import { ImportRefused } from "./ImportRefused.ts"
import { type TransferredTable, transferredTables } from "./transferredTables.ts"

/** Rises when an older release could no longer read an export. */
export const TRANSFER_FORMAT = 3

export const Head = Schema.Struct({
  product: Schema.Literal("tributary"),
  format: Schema.Int,
  /** The last migration of the Postgres schema that it was exported from; 0 for other storages. */
  migration: Schema.Int,
  exported_at: Schema.String,
  /** Of all tables together. */
  rows: Schema.Int
})
export type Head = typeof Head.Type

export const Section = Schema.Struct({
  table: Schema.String,
  columns: Schema.Array(Schema.String),
  rows: Schema.Int
})

const decodeHead = Schema.decodeUnknownSync(Schema.fromJsonString(Head))
const decodeSection = Schema.decodeUnknownSync(Schema.fromJsonString(Section))

const refuse = (problem: string) => new ImportRefused({ message: problem })

const damaged = () => refuse("The file is damaged: its parts do not fit together.")

const orThrow = <A>(read: () => A, problem: () => ImportRefused): A => {
  try {
    return read()
  } catch {
    throw problem()
  }
}

const readHead = (line: string): Head => {
  const head = orThrow(() => decodeHead(line), () => refuse("The file is not an export of Tributary."))
  if (head.format > TRANSFER_FORMAT) {
    throw refuse(
      `The file was exported by a newer release (format ${head.format}; this release knows ${TRANSFER_FORMAT}). ` +
        "Import it with that release."
    )
  }
  return head
}

const readSection = (line: string) => {
  const section = orThrow(() => decodeSection(line), damaged)
  const table = transferredTables.find(({ name }) => name === section.table)
  if (table === undefined || !section.columns.every((column) => /^[a-z_]+$/.test(column))) throw damaged()
  return { ...section, table }
}

/** Rows of one table, as JSON objects. */
export interface Batch {
  readonly table: TransferredTable
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
}

const BATCH_CHARACTERS = 1_000_000
const BATCH_ROWS = 1_000

type Lines = AsyncIterator<string, unknown, undefined>

const batchesIn = async function*(section: ReturnType<typeof readSection>, lines: Lines): AsyncGenerator<Batch> {
  let rows: Array<string> = []
  let characters = 0
  for (let left = section.rows; left > 0; left--) {
    const { done, value } = await lines.next()
    if (done === true) throw damaged()
    rows.push(value)
    characters += value.length
    if (left > 1 && characters < BATCH_CHARACTERS && rows.length < BATCH_ROWS) continue
    yield { ...section, rows }
    rows = []
    characters = 0
  }
}

const allBatches = async function*(lines: Lines): AsyncGenerator<Batch> {
  const first = await lines.next()
  if (first.done === true) throw refuse("The file is empty.")
  const head = readHead(first.value)
  const rowsOf = new Map<TransferredTable, number>()
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const section = readSection(next.value)
    if (rowsOf.has(section.table)) throw damaged()
    rowsOf.set(section.table, section.rows)
    yield* batchesIn(section, lines)
  }
  if ([...rowsOf.values()].reduce((sum, rows) => sum + rows, 0) !== head.rows) throw damaged()
}

/** Throws `ImportRefused` when the lines are not an export. */
const readBatches = async function*(lines: AsyncIterable<string>): AsyncGenerator<Batch> {
  const iterator = lines[Symbol.asyncIterator]()
  try {
    yield* allBatches(iterator)
  } finally {
    await iterator.return?.()
  }
}

export interface ExportOptions<E> {
  /** Takes the next lines, each ended by a line feed; `done` of `total` rows are then written. */
  readonly write: (lines: string, done: number, total: number) => Effect.Effect<void, E>
}

export interface ImportOptions {
  /** The lines of an export. */
  readonly lines: AsyncIterable<string>
  /** The job that builds a workspace's context. It is queued for every workspace with the import. */
  readonly buildJob: (workspaceId: WorkspaceId, now: number) => NewJob
}

/** How many rows of each table were written or read. */
export type RowCounts = Readonly<Record<string, number>>

export const batchesOf = (lines: AsyncIterable<string>): Stream.Stream<Batch, ImportRefused> =>
  Stream.fromAsyncIterable(readBatches(lines), (error) => {
    if (error instanceof ImportRefused) return error
    throw error
  })

/** Reads all lines and changes nothing. */
export const verifyExport = (lines: AsyncIterable<string>): Effect.Effect<void, ImportRefused> =>
  Stream.runDrain(batchesOf(lines))

/** A column that this release does not know: a newer one exported the file. */
export const unknownColumn = (table: string, column: string): ImportRefused =>
  refuse(`The file was exported by a newer release (it has ${table}.${column}). Import it with that release.`)

export const storeNotEmpty = (): ImportRefused =>
  refuse(
    "The store is not empty, and an import fills empty ones only. Choose another data directory, database or schema."
  )

export const unfitValues = (): ImportRefused => refuse("The file holds what no store has. Nothing was imported.")
