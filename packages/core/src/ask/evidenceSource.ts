/** The evidence for one question: the passages that its answerer was given, so that quotes can be checked. */
import { Effect, Struct } from "effect"
import type { AskRequest } from "../model/Ask.ts"
import type { SnapshotId, WorkspaceId } from "../model/Id.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { type Evidence, type EvidencePassage, type EvidenceSource, neighbouringRefs } from "../ports/Answerer.ts"
import { DocumentStore, type PassageRef } from "../ports/DocumentStore.ts"
import { RERANKER_FAILED } from "../search/rerankHits.ts"
import { filterWarnings } from "../search/filterWarnings.ts"
import { GivenPassages } from "./GivenPassages.ts"
import { passageFinder } from "./passageFinder.ts"

/** How many passages are searched before an answerer asks for more. */
const FIRST = 30

/** The most passages of a search, and of a read. */
const MAX_PASSAGES = 200
const MAX_READ = 1_000

const EMBEDDER_FAILED = "embeddings: the embedding model does not answer, so passages are found by words only"

interface Searched {
  readonly snapshot: SnapshotId | null
  readonly matched: ReadonlySet<string>
  readonly embedderFailed: boolean
  readonly rerankerFailed: boolean
}

/** Reads passages of the documents that were given, and gives them. */
const passageReader = Effect.fnUntraced(function*(workspaceId: WorkspaceId, given: GivenPassages) {
  const documents = yield* DocumentStore
  return Effect.fnUntraced(function*(refs: ReadonlyArray<PassageRef>) {
    const wanted = refs.filter((ref) => given.hasVersion(ref)).slice(0, MAX_READ)
    const unknown = wanted.filter((ref) => given.find(ref) === undefined)
    if (unknown.length > 0) {
      for (const passage of yield* documents.passages(workspaceId, unknown, false)) given.add(passage)
    }
    return wanted.flatMap((ref) => given.find(ref) ?? [])
  })
})

type Found = Effect.Success<ReturnType<Effect.Success<ReturnType<typeof passageFinder>>["find"]>>

const toEvidence = (found: Found, most: number, given: GivenPassages): Evidence => ({
  passages: found.passages.map((passage): EvidencePassage => ({
    ...passage,
    // Computed lazily, because not every answerer needs it.
    get headings() {
      return given.headingsOf(passage)
    }
  })),
  query: found.query,
  idf: found.idf,
  passageCount: found.chunkCount,
  truncated: found.hits.length > most
})

/** The best passages of a search. */
const cut = (evidence: Evidence, limit: number): Evidence => ({
  ...evidence,
  passages: evidence.passages.slice(0, limit),
  truncated: evidence.truncated || evidence.passages.length > limit
})

const modelWarnings = (searches: ReadonlyArray<Searched>): ReadonlyArray<string> => [
  ...(searches.some(({ embedderFailed }) => embedderFailed) ? [EMBEDDER_FAILED] : []),
  ...(searches.some(({ rerankerFailed }) => rerankerFailed) ? [RERANKER_FAILED] : [])
]

export const openEvidence = Effect.fnUntraced(function*(workspaceId: WorkspaceId, request: AskRequest, now: number) {
  // Read here, because an answer is streamed after the request has been handled.
  const tokenFilter = yield* CurrentTokenFilter
  const { find, rangeWarnings } = yield* passageFinder(workspaceId, request, tokenFilter, now)
  const given = new GivenPassages()
  const read = yield* passageReader(workspaceId, given)
  /** What the searches so far have met. */
  const searches: Array<Searched> = []

  const search = Effect.fnUntraced(function*(query: string, limit: number) {
    const most = Math.min(limit, MAX_PASSAGES)
    const found = yield* find(query, most)
    searches.push(Struct.pick(found, ["snapshot", "matched", "embedderFailed", "rerankerFailed"]))
    for (const passage of found.passages) given.add(passage)
    yield* read(found.passages.flatMap(neighbouringRefs))
    return toEvidence(found, most, given)
  })

  const first = yield* search(request.query, FIRST)

  const source: EvidenceSource = {
    search: (query, limit) =>
      query === request.query && limit <= FIRST
        ? Effect.succeed(cut(first, limit))
        : search(query, limit),
    read
  }

  const warnings = Effect.gen(function*() {
    const matched = new Set(searches.flatMap(({ matched }) => [...matched]))
    return [
      ...(yield* filterWarnings(workspaceId, "the knowledge context", request, matched, tokenFilter)),
      ...(yield* rangeWarnings),
      ...modelWarnings(searches)
    ]
  })

  return { source, given, warnings, snapshot: () => searches.at(-1)!.snapshot }
})
