/**
 * Reads the texts of listed documents, a few at a time, so that other work gets its turn. What changes in between is
 * left out and appears again later in the order.
 */
import type { Change } from "@tributary/core/ports/DocumentStore"
import type { Stored } from "@tributary/core/ports/Storage"
import { Effect } from "effect"
import type { Listed } from "../reads/changes.ts"
import { chunksFrom, indexedDocuments } from "../reads/content.ts"
import { type DocumentColumns, toDocument } from "../rows/documentRows.ts"
import type { SqliteConnection } from "./SqliteConnection.ts"

/** The most text in one answer, in bytes, unless its first document alone is longer. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024

const withinText = (rows: ReadonlyArray<Listed>): ReadonlyArray<Listed> => {
  let text = 0
  const past = rows.findIndex(({ text_bytes }, index) => (text += text_bytes) > MAX_TEXT_BYTES && index > 0)
  return past === -1 ? rows : rows.slice(0, past)
}

/** How much is read in one go, in bytes, with an allowance for the row itself. */
const BYTES_AT_ONCE = 250_000
const BYTES_PER_ROW = 2_000

const isLong = ({ text_bytes }: Listed): boolean => text_bytes > BYTES_AT_ONCE

/** How many chunks of a long text are read in one go. */
const CHUNKS_AT_ONCE = 250

const findRow = (db: SqliteConnection, { change_seq, id }: Listed): DocumentColumns | undefined =>
  db.get("SELECT * FROM documents WHERE id = ? AND change_seq = ?", id, change_seq)

/** The listed rows from `start` on that are read in one go: up to the next long one. */
const nextFew = (listed: ReadonlyArray<Listed>, start: number): ReadonlyArray<Listed> => {
  let end = start
  for (let bytes = 0; end < listed.length && bytes < BYTES_AT_ONCE && !isLong(listed[end]!); end++) {
    bytes += listed[end]!.text_bytes + BYTES_PER_ROW
  }
  return listed.slice(start, end)
}

const readFew = (db: SqliteConnection, few: ReadonlyArray<Listed>): ReadonlyArray<Change> => {
  const documents = indexedDocuments(db, few.flatMap(({ id }) => id ?? []))
  return few.flatMap(({ change_seq, document_id, id }): ReadonlyArray<Change> => {
    if (id === null) return [{ change_seq, document_id, document: null }]
    const document = documents.get(id)
    return document?.change_seq === change_seq ? [{ change_seq, document_id, document }] : []
  })
}

type Read = <A>(query: (db: SqliteConnection) => A) => Stored<A>

/** A document with a long text; null if it changes meanwhile. */
const readLongText = Effect.fnUntraced(function*(read: Read, listed: Listed) {
  const chunks: Array<string> = []
  while (true) {
    const portion = yield* read((db) =>
      db.transaction("BEGIN", () => {
        const row = findRow(db, listed)
        return row === undefined ? null : { row, texts: chunksFrom(db, row.id, chunks.length, CHUNKS_AT_ONCE) }
      })
    )
    if (portion === null) return null
    for (const text of portion.texts) chunks.push(text)
    const { document_id, change_seq } = listed
    if (portion.texts.length < CHUNKS_AT_ONCE) {
      return { change_seq, document_id, document: { ...toDocument(portion.row), change_seq, chunks } }
    }
    yield* Effect.yieldNow
  }
})

export const readListed = (
  read: Read,
  list: Stored<ReadonlyArray<Listed>>
): Stored<ReadonlyArray<Change>> =>
  Effect.gen(function*() {
    while (true) {
      const listed = withinText(yield* list)
      const changes: Array<Change> = []
      for (let next = 0; next < listed.length;) {
        if (next > 0) yield* Effect.yieldNow
        if (isLong(listed[next]!)) {
          const change = yield* readLongText(read, listed[next]!)
          if (change !== null) changes.push(change)
          next++
          continue
        }
        const few = nextFew(listed, next)
        next += few.length
        for (const change of yield* read((db) => db.transaction("BEGIN", () => readFew(db, few)))) changes.push(change)
      }
      // An empty answer would mean that there is nothing more.
      if (changes.length > 0 || listed.length === 0) return changes
    }
  })
