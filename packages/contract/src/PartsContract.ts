/**
 * The kits of other parts that a host may replace: `answererContract("mine", answerer)` registers one test for each
 * rule. Providers and rate windows have separate kits.
 */
import { assert, describe, it } from "@effect/vitest"
import { DocumentId, WorkspaceId } from "@tributary/core/model/Id"
import type { Answerer, EvidencePassage, EvidenceSource } from "@tributary/core/ports/Answerer"
import type { EmbeddingModel } from "@tributary/core/ports/Embedder"
import type { RerankingModel } from "@tributary/core/ports/Reranker"
import type { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { IndexBuilder, type SegmentBuilding } from "@tributary/core/ports/IndexBuilder"
import type { SegmentCopies } from "@tributary/core/ports/SegmentCache"
import { parseQuery } from "@tributary/retrieval"
import { Context, Effect, type Scope, Stream } from "effect"
import { segmentDocuments } from "./segmentDocuments.ts"

const WORKSPACE = WorkspaceId.make("019a0000-0000-7000-8000-000000000001")
const OTHER = WorkspaceId.make("019a0000-0000-7000-8000-000000000002")

const passage = (text: string, index: number): EvidencePassage => {
  const document_id = DocumentId.make(`00000000-0000-7000-8000-${String(index).padStart(12, "0")}`)
  const [timestamp, created_at, updated_at] = [new Date(0), new Date(0), new Date(0)]
  const named = { external_id: `d${index}`, source: "custom:test", kind: "page", title: `Page ${index}`, url: null }
  return {
    document_id,
    change_seq: index + 1,
    ordinal: 0,
    text,
    start: 0,
    payload: null,
    score: 10 - index,
    headings: [],
    context: "",
    document: {
      ...named,
      document_id,
      size: text.length,
      timestamp,
      ends_at: null,
      metadata: {},
      created_at,
      updated_at
    }
  }
}

const PASSAGES = ["The spare key is kept in locker 7.", "Lunch is served at noon. 🚣 The bay is closed."].map(passage)

const sourceOf = (passages: ReadonlyArray<EvidencePassage>): EvidenceSource => ({
  search: (text, limit) =>
    Effect.sync(() => {
      const query = parseQuery(text)
      const idf = new Map([...query.weights.keys()].map((term) => [term, 3]))
      return { passages: passages.slice(0, limit), query, idf, passageCount: 100, truncated: passages.length > limit }
    }),
  read: (refs) =>
    Effect.succeed(
      passages.filter((one) =>
        refs.some(({ document_id, ordinal }) => one.document_id === document_id && one.ordinal === ordinal)
      )
    )
})

const question = {
  workspaceId: WORKSPACE,
  query: "Where is the spare key?",
  timezone: "UTC",
  now: new Date(0),
  language: null,
  history: []
}

export const answererContract = (name: string, { answer }: Answerer["Service"]): void => {
  const eventsOf = (passages: ReadonlyArray<EvidencePassage>) => Stream.runCollect(answer(question, sourceOf(passages)))

  describe(`the answerer ${name}`, () => {
    it.effect("ends with one outcome", () =>
      Effect.gen(function*() {
        const all = yield* eventsOf(PASSAGES)
        assert.deepStrictEqual(all.map(({ _tag }) => _tag === "Outcome"), all.map((_, at) => at === all.length - 1))
        assert.isAbove(all.length, 0)
      }))

    it.effect("quotes and relates only the given passages", () =>
      Effect.gen(function*() {
        const all = yield* eventsOf(PASSAGES)
        const quotes = all.flatMap((one) => one._tag === "Statement" ? one.quotes : one.related)
        for (const { change_seq, document_id, end, start } of quotes) {
          const given = PASSAGES.find((one) => one.document_id === document_id && one.change_seq === change_seq)
          assert.isDefined(given)
          assert.isTrue(start >= 0 && start < end && end <= given!.text.length)
        }
      }))

    it.effect("states nothing without a quote, and nothing without passages", () =>
      Effect.gen(function*() {
        const statements = (yield* eventsOf(PASSAGES)).filter((one) => one._tag === "Statement")
        for (const { quotes, text } of statements) assert.isTrue(quotes.length > 0 && text.trim() !== "")
        const [outcome, ...rest] = yield* eventsOf([])
        assert.lengthOf(rest, 0)
        assert.deepInclude(outcome, { _tag: "Outcome", related: [] })
      }))
  })
}

export const embedderContract = (name: string, model: EmbeddingModel): void => {
  describe(`the embedding model ${name}`, () => {
    it.effect("makes one vector per text, in order, all of one length and none zero", () =>
      Effect.gen(function*() {
        const texts = Array.from({ length: Math.min(model.batch, 5) }, (_, at) => `Locker ${at}: the spare key. 🚣`)
        const embed = (texts: ReadonlyArray<string>) =>
          Effect.map(model.embed(texts, "document"), (vectors) => vectors.map((vector) => Array.from(vector)))
        const vectors = yield* embed(texts)
        assert.lengthOf(vectors, texts.length)
        assert.deepStrictEqual(new Set(vectors.map(({ length }) => length)), new Set([vectors[0]!.length]))
        if (model.dimensions !== null) assert.lengthOf(vectors[0]!, model.dimensions)
        for (const vector of vectors) assert.isTrue(Math.hypot(...vector) > 0 && vector.every(Number.isFinite))
        const [alone] = yield* embed([texts.at(-1)!])
        const [one, other] = [alone!, vectors.at(-1)!]
        const product = one.reduce((sum, value, at) => sum + value * other[at]!, 0)
        assert.isAbove(product / (Math.hypot(...one) * Math.hypot(...other)), 0.99)
      }))
  })
}

export const rerankerContract = (name: string, model: RerankingModel): void => {
  const relevant = PASSAGES[0]!.text
  const others = Array.from({ length: 49 }, (_, at) => `Lunch number ${at} is served at noon. 🚣`)

  describe(`the reranking model ${name}`, () => {
    it.effect("scores each text at its place, and the one that answers highest", () =>
      Effect.gen(function*() {
        for (const place of [0, 1, 30, others.length]) {
          const texts = others.toSpliced(place, 0, relevant)
          const scores = yield* model.rerank(question.query, texts)
          assert.lengthOf(scores, texts.length)
          assert.isTrue(scores.every(Number.isFinite))
          assert.strictEqual(scores.indexOf(Math.max(...scores)), place)
        }
      }))
  })
}

/** A file that the extractor reads, and some of its text. */
export interface SampleFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly contains: string
}

export const textExtractorContract = (
  name: string,
  extractor: Effect.Effect<TextExtractor["Service"], never, Scope.Scope>,
  samples: ReadonlyArray<SampleFile>
): void => {
  describe(`the text extractor ${name}`, () => {
    it.live("keeps plain text to the letter", () =>
      Effect.gen(function*() {
        const { fromMarkup } = yield* extractor
        for (const text of ["", "One\r\n\ttwo  \n", "<p>no markup</p> # 🚣"]) {
          assert.strictEqual((yield* fromMarkup(text, "text/plain")).text, text)
        }
      }).pipe(Effect.scoped))

    it.live("takes any text for Markdown and HTML, and keeps its words", () =>
      Effect.gen(function*() {
        const { fromMarkup } = yield* extractor
        for (
          const text of ["locker 🚣", "# locker\n\n- <b>seven", "---\nlocker", "<p title='>'>locker", "]]> & locker"]
        ) {
          for (const type of ["text/markdown", "text/html"] as const) {
            assert.include((yield* fromMarkup(text, type)).text, "locker")
          }
        }
        for (const type of ["text/markdown", "text/html"] as const) {
          assert.strictEqual((yield* fromMarkup("", type)).text.trim(), "")
        }
      }).pipe(Effect.scoped))

    it.live("keeps the blocks of HTML on separate lines, in order", () =>
      Effect.gen(function*() {
        const { fromMarkup } = yield* extractor
        const page = "<h2>Lockers</h2><p>Each is locked.<ul><li>one<li>two</ul><pre>open 1\nopen 2</pre>" +
          "<table><tr><th>Locker<th>Key<tr><td>seven<td>spare</table>"
        const lines = (yield* fromMarkup(page, "text/html")).text.split("\n")
        const blocks = ["Lockers", "Each is locked.", "one", "two", "open 1", "open 2", "Locker.*Key", "seven.*spare"]
        const found = blocks.map((block) => lines.findIndex((line) => new RegExp(`(?<!\\w)${block}(?!\\w)`).test(line)))
        assert.notInclude(found, -1)
        assert.deepStrictEqual(found, [...new Set(found)].sort((one, other) => one - other))
      }).pipe(Effect.scoped))

    it.live("reads its files, many at a time, each as it was given", () =>
      Effect.gen(function*() {
        const { fromFile } = yield* extractor
        assert.isAbove(samples.length, 0)
        const files = Array.from({ length: 3 }, () => samples).flat()
        const given = files.map(({ bytes, ...file }) => ({ ...file, bytes: bytes.slice() }))
        const read = yield* Effect.forEach(given, fromFile, { concurrency: "unbounded" })
        for (const [at, { bytes, contains }] of files.entries()) {
          assert.include(read[at]!.text, contains)
          assert.deepStrictEqual(given[at]!.bytes, bytes)
        }
      }).pipe(Effect.scoped))

    it.live("refuses what is no file of a format, and files that break off, with a sentence", () =>
      Effect.gen(function*() {
        const { fromFile } = yield* extractor
        const noise = {
          name: "noise.bin",
          contentType: "application/x-noise",
          bytes: new Uint8Array([0, 255, 1, 254, 0])
        }
        const refused = yield* Effect.flip(fromFile(noise))
        assert.strictEqual(refused._tag, "Unsupported")
        assert.match(refused.message, /\w/)
        for (const { bytes, ...file } of samples) {
          const half = { ...file, bytes: bytes.slice(0, bytes.length >> 1) }
          const failure = yield* Effect.flip(Effect.flatMap(fromFile(half), () => Effect.fail(null)))
          if (failure !== null) assert.include(["Unsupported", "Unreadable"], failure._tag)
        }
      }).pipe(Effect.scoped))
  })
}

/** `counts` is how many documents the segments have, for builders that treat small and large work differently. */
export const indexBuilderContract = (
  name: string,
  builder: Effect.Effect<SegmentBuilding, never, Scope.Scope>,
  counts: ReadonlyArray<number> = [1, 1_000]
): void => {
  const here = Context.get(Context.empty(), IndexBuilder)
  const assertSame = (bytes: Uint8Array, expected: Uint8Array) =>
    assert.isTrue(bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at]))

  describe(`the index builder ${name}`, () => {
    it.live("builds and merges the same segments as ours, byte by byte", () =>
      Effect.gen(function*() {
        const theirs = yield* builder
        for (const all of counts.map(segmentDocuments)) {
          const bytes = yield* here.build(all)
          assertSame(yield* theirs.build(all), bytes)
          const parts = [{ bytes, hidden: [0] }]
          assertSame(yield* theirs.merge(parts), yield* here.merge(parts))
        }
      }).pipe(Effect.scoped))

    it.live("drafts the same in several steps, without discarded documents", () =>
      Effect.gen(function*() {
        const theirs = yield* builder
        const all = segmentDocuments(20)
        yield* Effect.scoped(Effect.flatMap(theirs.draft, ({ add }) => add(segmentDocuments(5))))
        const drafted = yield* Effect.scoped(Effect.gen(function*() {
          const { add, finish } = yield* theirs.draft
          yield* add(all.slice(0, 10))
          yield* add(all.slice(10))
          return yield* finish
        }))
        assertSame(drafted, yield* here.build(all))
      }).pipe(Effect.scoped))
  })
}

export const segmentCacheContract = (
  name: string,
  cache: Effect.Effect<SegmentCopies, never, Scope.Scope>
): void => {
  describe(`the segment cache ${name}`, () => {
    it.live("returns stored bytes unchanged, or nothing, and isolates workspaces", () =>
      Effect.gen(function*() {
        const copies = yield* cache
        assert.isNull(yield* copies.get(WORKSPACE, "a"))
        yield* copies.put(WORKSPACE, "a", new Uint8Array([1, 2, 3]))
        assert.include([null, "1,2,3"], (yield* copies.get(WORKSPACE, "a"))?.join() ?? null)
        assert.isNull(yield* copies.get(OTHER, "a"))
      }).pipe(Effect.scoped))

    it.live("deletes files that are not retained, only of its workspace", () =>
      Effect.gen(function*() {
        const copies = yield* cache
        for (const id of ["a", "b"]) yield* copies.put(WORKSPACE, id, new Uint8Array([1]))
        yield* copies.put(OTHER, "a", new Uint8Array([1]))
        const others = yield* copies.get(OTHER, "a")
        yield* copies.retain(WORKSPACE, ["b"])
        assert.isNull(yield* copies.get(WORKSPACE, "a"))
        yield* copies.retain(WORKSPACE, [])
        assert.notInclude(yield* copies.workspaces, WORKSPACE)
        assert.deepStrictEqual(yield* copies.get(OTHER, "a"), others)
      }).pipe(Effect.scoped))
  })
}
