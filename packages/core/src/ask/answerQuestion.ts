/** Answering one question from the documents in the context's range. */
import { asksForCount, expandQuery, isSupported, MOST_COUNTED, parseQuery, type Query } from "@tributary/retrieval"
import { Clock, Effect } from "effect"
import type { Answer, AskEvent, AskRequest, Citation } from "../model/Ask.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { Answerer, type Quote } from "../ports/Answerer.ts"
import type { Passage } from "../ports/DocumentStore.ts"
import type { Head } from "../ports/KnowledgeStore.ts"
import { findCandidates } from "../search/candidates.ts"
import { withConversations } from "./conversations.ts"
import { textOf } from "./evidenceText.ts"
import { VectorSearch } from "../search/VectorSearch.ts"
import { readingSegments } from "../search/readingSegments.ts"
import { searchFilter } from "../search/searchFilter.ts"
import { servedRange } from "../context/servedRange.ts"
import { matchedIn, sourceWarnings } from "../search/sourceWarnings.ts"
import { withRest } from "./withRest.ts"
import { withTextAbove } from "./textAbove.ts"

/** So many passages are read for an answer. */
const EVIDENCE = 20

const NO_EVIDENCE = "The knowledge context of this workspace holds nothing that answers this question."

const citation = (passage: Passage, { end, start }: Quote, marker: number): Citation => ({
  type: passage.document.kind,
  entity: {
    id: passage.document.document_id,
    external_id: passage.document.external_id,
    source: passage.document.source,
    title: passage.document.title,
    url: passage.document.url,
    timestamp: passage.document.timestamp,
    marker,
    quote: passage.text.slice(start, end),
    start: passage.start + start,
    end: passage.start + end
  }
})

/** A quote that does not stand within its passage is no citation. */
const stands = (passages: ReadonlyArray<Passage>, quote: Quote): boolean => {
  const passage = passages[quote.passage]
  return passage !== undefined && quote.start >= 0 && quote.start < quote.end && quote.end <= passage.text.length
}

const markers = (response: string): ReadonlyArray<number> =>
  [...response.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))

const isSame = (left: Passage, right: Passage): boolean =>
  left.document_id === right.document_id && left.change_seq === right.change_seq && left.ordinal === right.ordinal

/** Looks for what may answer a question; when that says too little, once more, with the words of what was found. */
export const findEvidence = Effect.fn("Asks.findEvidence")(function*(workspaceId: WorkspaceId, request: AskRequest) {
  // The answer may be how many documents there are, so all of them have to be seen.
  const isCounting = asksForCount(request.query)
  const limit = isCounting ? MOST_COUNTED : EVIDENCE
  const now = yield* Clock.currentTimeMillis
  const range = (head: Head) => servedRange(head, now)
  const filter = (head: Head) => searchFilter(request, range(head))
  const vectors = yield* VectorSearch
  const semantic = vectors.model === null ? undefined : yield* vectors.vectorOf(request.query).pipe(
    Effect.map((vector) => ({ vector, alone: false })),
    Effect.catchTag(
      "ModelUnavailable",
      (failure) => Effect.as(Effect.logWarning("evidence is found by words alone", failure), undefined)
    )
  )
  const lookFor = Effect.fnUntraced(function*(query: Query) {
    const candidates = yield* findCandidates(workspaceId, {
      query,
      filter,
      range,
      groupBy: "chunk",
      limit: limit + 1,
      shown: (_, hits) => hits.slice(0, limit),
      withPayload: false,
      tell: (parts, _, head) => matchedIn(parts, request, range(head)),
      semantic
    })
    const said = yield* withConversations(workspaceId, candidates, filter(candidates.head), [...candidates.read])
    const passages = (yield* withTextAbove(workspaceId, said)).map((passage) => ({ ...passage, isRest: false }))
    return { ...candidates, passages }
  })
  const find = (query: Query) => readingSegments(workspaceId, lookFor(query))
  const query = parseQuery(request.query)
  const { hits, passages, idf, told, view } = yield* find(query)
  const question = {
    query: request.query,
    timezone: request.timezone ?? "UTC",
    now: new Date(now),
    idf
  }
  const texts = passages.map(textOf)
  const more = passages.length === 0 || isSupported(question, texts)
    ? []
    : (yield* find(expandQuery(request.query, texts))).passages
  const found = [...passages, ...more.filter((passage) => !passages.some((other) => isSame(other, passage)))]
  return {
    question,
    passages: isCounting ? yield* withRest(workspaceId, found) : found,
    truncated: hits.length > limit,
    snapshot: view.snapshot?.snapshot_id ?? null,
    warnings: yield* sourceWarnings(workspaceId, "the knowledge context", request, told.flat())
  }
})

/** Answers from what was found; reads nothing more. */
export const answerFrom = Effect.fn("Asks.answer")(
  function*(evidence: Effect.Success<ReturnType<typeof findEvidence>>) {
    const { passages, question, snapshot, truncated } = evidence
    const warned = evidence.warnings.length === 0 ? {} : { warnings: evidence.warnings }
    const answerer = yield* Answerer
    const draft = passages.length === 0 ? null : yield* answerer.answer(question, passages)
    // An answer that leans on a quote which does not stand is no answer.
    const sound = draft !== null && draft.quotes.length > 0 &&
      draft.quotes.every((quote) => stands(passages, quote)) &&
      markers(draft.response).every((marker) => marker >= 1 && marker <= draft.quotes.length)
    if (!sound) {
      return {
        response: NO_EVIDENCE,
        citations: [],
        truncated: false,
        answered: false,
        snapshot,
        model: answerer.model,
        ...warned
      } satisfies Answer
    }
    return {
      response: draft.response,
      citations: draft.quotes.map((quote, index) => citation(passages[quote.passage]!, quote, index + 1)),
      truncated,
      answered: true,
      snapshot,
      model: answerer.model,
      ...warned
    } satisfies Answer
  }
)

export const answerQuestion = (workspaceId: WorkspaceId, request: AskRequest) =>
  Effect.flatMap(findEvidence(workspaceId, request), answerFrom)

/** Ends each piece after a marker and the space behind it, so that none is torn. */
const PIECES = /[^]*?\[\d+\]\s*|[^]+$/g

/** An answer in the order in which it is told to whoever listens. */
export const toldOf = (answer: Answer): ReadonlyArray<AskEvent> => [
  ...answer.citations.map((data) => ({ event: "citation" as const, data })),
  ...(answer.response.match(PIECES) ?? []).map((text) => ({ event: "delta" as const, data: { text } })),
  { event: "done", data: answer }
]
