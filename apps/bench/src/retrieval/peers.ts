/** Other engines with one interface: build an index of texts, and search it. */
import { create, insertMultiple, search as searchOrama } from "@orama/orama"
import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Index as FlexSearch } from "flexsearch"
import MiniSearch from "minisearch"
import { parseQuery, stemsIn, visitWords } from "@tributary/retrieval"
import { mean } from "../statistics.ts"
import { DatabaseSync } from "node:sqlite"
import type { Text } from "./collections.ts"

/** Returns the ids of the best documents, best first. */
type Search = (query: string, limit: number) => ReadonlyArray<string> | Promise<ReadonlyArray<string>>

export interface Index {
  readonly search: Search
  readonly close?: () => Promise<void>
}

export interface Peer {
  readonly name: string
  /** Another process does the work, so only wall time can be measured. */
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

/** Ranks as Lucene does with its English analyzer and defaults: one field, stems, and BM25 over the whole document. */
const LUCENE = { k1: 1.2, b: 0.75 }

/** The stop words of Lucene's English analyzer. */
const LUCENE_STOP_WORDS = new Set(
  ("a an and are as at be but by for if in into is it no not of on or such that the their then there these they " +
    "this to was will with").split(" ")
)

/** The set of languages of a query whose documents are not known. */
const { languages: ENGLISH } = parseQuery("")

const stemsOf = (text: string): ReadonlyArray<string> => {
  const stems: Array<string> = []
  visitWords(text, (start, end) => {
    const word = text.slice(start, end).toLowerCase()
    if (!LUCENE_STOP_WORDS.has(word)) stems.push(stemsIn(ENGLISH, word)[0]!)
  })
  return stems
}

const lucene: Peer = {
  name: "BM25 as in Lucene",
  build: (documents) => {
    const postings = new Map<string, Map<number, number>>()
    const lengths = documents.map(({ text, title }, number) => {
      const stems = stemsOf(`${title}\n${text}`)
      for (const stem of stems) {
        const times = postings.get(stem) ?? new Map<number, number>()
        postings.set(stem, times.set(number, (times.get(number) ?? 0) + 1))
      }
      return stems.length
    })
    const average = mean(lengths)
    return {
      search: (query, limit) => {
        const scores = new Map<number, number>()
        for (const stem of stemsOf(query)) {
          const times = postings.get(stem) ?? new Map<number, number>()
          const idf = Math.log(1 + (documents.length - times.size + 0.5) / (times.size + 0.5))
          for (const [number, count] of times) {
            const norm = LUCENE.k1 * (1 - LUCENE.b + (LUCENE.b * lengths[number]!) / average)
            scores.set(number, (scores.get(number) ?? 0) + (idf * count) / (count + norm))
          }
        }
        return [...scores].sort(([, one], [, other]) => other - one).slice(0, limit)
          .map(([number]) => documents[number]!.id)
      }
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

/** In a temporary table. */
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
  lucene,
  sqlite,
  ...(postgresUrl === undefined ? [] : [postgres(postgresUrl)])
]
