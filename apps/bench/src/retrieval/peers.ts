/** Other engines behind one interface: build an index of texts, then search it. */
import { create, insertMultiple, search as searchOrama } from "@orama/orama"
import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Index as FlexSearch } from "flexsearch"
import MiniSearch from "minisearch"
import { DatabaseSync } from "node:sqlite"
import type { Text } from "./collections.ts"

/** Finds the ids of the best this many documents, best first. */
export type Search = (query: string, limit: number) => ReadonlyArray<string> | Promise<ReadonlyArray<string>>

export interface Index {
  readonly search: Search
  readonly close?: () => Promise<void>
}

export interface Peer {
  readonly name: string
  /** Its work is done by another process, so only the clock can tell. */
  readonly isServer?: boolean
  readonly build: (documents: ReadonlyArray<Text>) => Index | Promise<Index>
}

const miniSearch: Peer = {
  name: "MiniSearch",
  build: (documents) => {
    const index = new MiniSearch<Text>({ fields: ["title", "text"] })
    index.addAll(documents)
    return { search: (text, limit) => index.search(text).slice(0, limit).map(({ id }) => String(id)) }
  }
}

const orama: Peer = {
  name: "Orama",
  build: async (documents) => {
    const index = create({ schema: { title: "string", text: "string" } })
    await insertMultiple(index, [...documents])
    return { search: async (term, limit) => (await searchOrama(index, { term, limit })).hits.map(({ id }) => id) }
  }
}

const flexSearch: Peer = {
  name: "FlexSearch",
  build: (documents) => {
    const index = new FlexSearch({ tokenize: "strict" })
    documents.forEach(({ text, title }, number) => index.add(number, `${title}\n${text}`))
    return {
      search: (text, limit) =>
        index.search(text, { limit, suggest: true }).map((number) => documents[Number(number)]!.id)
    }
  }
}

const wordsOf = (text: string): ReadonlyArray<string> => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]

const sqlite: Peer = {
  name: "SQLite FTS5",
  build: (documents) => {
    const database = new DatabaseSync(":memory:")
    database.exec("CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, title, text, tokenize = 'porter unicode61')")
    const insert = database.prepare("INSERT INTO texts VALUES (?, ?, ?)")
    database.exec("BEGIN")
    for (const { id, text, title } of documents) insert.run(id, title, text)
    database.exec("COMMIT")
    const select = database.prepare("SELECT id FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 0, 2, 1) LIMIT ?")
    return {
      search: (text, limit) => {
        const words = wordsOf(text)
        if (words.length === 0) return []
        return select.all(words.map((word) => `"${word}"`).join(" OR "), limit).map(({ id }) => String(id))
      }
    }
  }
}

const BATCH = 1_000

/** In a table that goes away with the connection. */
const postgres = (url: string): Peer => ({
  name: "Postgres ts_rank",
  isServer: true,
  build: async (documents) => {
    const runtime = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
    await runtime.runPromise(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TEMPORARY TABLE texts (id text, words tsvector)`
      for (let from = 0; from < documents.length; from += BATCH) {
        const batch = JSON.stringify(documents.slice(from, from + BATCH))
        yield* sql`INSERT INTO texts SELECT id, setweight(to_tsvector('english', title), 'A') || to_tsvector('english', text)
          FROM json_to_recordset(${batch}::json) AS input (id text, title text, text text)`
      }
      yield* sql`CREATE INDEX ON texts USING gin (words)`
    }))
    return {
      search: (text, limit) =>
        runtime.runPromise(Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const rows = yield* sql<{ id: string }>`SELECT id FROM texts, to_tsquery('english', ${
            wordsOf(text).join(" | ")
          }) query WHERE words @@ query ORDER BY ts_rank(words, query) DESC LIMIT ${limit}`
          return rows.map(({ id }) => id)
        })),
      close: () => runtime.dispose()
    }
  }
})

export const peers = (postgresUrl: string | undefined): ReadonlyArray<Peer> => [
  miniSearch,
  orama,
  flexSearch,
  sqlite,
  ...(postgresUrl === undefined ? [] : [postgres(postgresUrl)])
]
