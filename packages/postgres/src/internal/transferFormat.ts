/**
 * The lines of an export: one that says what it is, and for each table one that names its columns and counts the rows,
 * followed by them. A row is JSON as the database writes it, and is only read by a database again: no number or moment
 * loses a digit on the way.
 */
import { Schema } from "effect"
import { migrations } from "../migrations/index.ts"
import { ImportRefused } from "../ImportRefused.ts"
import { type TransferredTable, transferredTables } from "./transferredTables.ts"

/** Rises when an older release could no longer read an export. */
export const TRANSFER_FORMAT = 2

export const Head = Schema.Struct({
  product: Schema.Literal("tributary"),
  format: Schema.Int,
  /** The last migration that the store had taken. */
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

const readHead = (line: string): Head => {
  let head: Head
  try {
    head = decodeHead(line)
  } catch {
    throw refuse("The file is no export of Tributary.")
  }
  if (head.format > TRANSFER_FORMAT || head.migration > migrations.length) {
    throw refuse(
      `The file was exported by a newer release (format ${head.format}, migration ${head.migration}; this release ` +
        `knows ${TRANSFER_FORMAT} and ${migrations.length}). Import it with that release.`
    )
  }
  return head
}

const readSection = (line: string) => {
  let section: typeof Section.Type
  try {
    section = decodeSection(line)
  } catch {
    throw damaged()
  }
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

/** Reads lines, and throws `ImportRefused` where they are not what an export holds. */
export const readBatches = async function*(lines: AsyncIterable<string>): AsyncGenerator<Batch> {
  let head: Head | undefined
  let section: ReturnType<typeof readSection> | undefined
  const seen = new Set<string>()
  let left = 0
  let total = 0
  let rows: Array<string> = []
  let characters = 0
  const take = (): ReadonlyArray<Batch> => {
    const full = section === undefined || rows.length === 0 ? [] : [{ ...section, rows }]
    rows = []
    characters = 0
    return full
  }
  for await (const line of lines) {
    if (head === undefined) {
      head = readHead(line)
    } else if (left === 0) {
      yield* take()
      section = readSection(line)
      if (seen.has(section.table.name)) throw damaged()
      seen.add(section.table.name)
      left = section.rows
      total += section.rows
    } else {
      rows.push(line)
      characters += line.length
      left--
      if (characters >= BATCH_CHARACTERS || rows.length >= BATCH_ROWS) yield* take()
    }
  }
  yield* take()
  if (head === undefined) throw refuse("The file is empty.")
  if (left > 0 || total !== head.rows) throw damaged()
}
