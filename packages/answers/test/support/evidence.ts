/** Evidence from a few texts, each a document of one passage. */
import { DocumentId } from "@tributary/core/model/Id"
import { WorkspaceId } from "@tributary/core/model/Id"
import type { EvidencePassage, EvidenceSource, Question, Quote } from "@tributary/core/ports/Answerer"
import { parseQuery } from "@tributary/retrieval"
import { Effect } from "effect"

const idOf = (index: number) => DocumentId.make(`00000000-0000-7000-8000-${String(index).padStart(12, "0")}`)

const passageOf = ([title, text]: readonly [title: string, text: string], index: number): EvidencePassage => ({
  document_id: idOf(index),
  change_seq: 1,
  ordinal: 0,
  text,
  start: 0,
  payload: null,
  score: 10 - index,
  headings: [],
  context: "",
  document: {
    document_id: idOf(index),
    external_id: `d${index}`,
    source: "custom:test",
    kind: "page",
    title,
    url: null,
    size: text.length,
    timestamp: new Date("2026-03-01T09:00:00Z"),
    ends_at: null,
    metadata: {},
    created_at: new Date(0),
    updated_at: new Date(0)
  }
})

export const evidenceOf = (documents: ReadonlyArray<readonly [title: string, text: string]>) => {
  const passages = documents.map(passageOf)
  const searched: Array<string> = []
  const source: EvidenceSource = {
    search: (query, limit) =>
      Effect.sync(() => {
        searched.push(query)
        const parsed = parseQuery(query)
        return {
          passages: passages.slice(0, limit),
          query: parsed,
          idf: new Map([...parsed.weights.keys()].map((term) => [term, 3])),
          passageCount: 100,
          truncated: passages.length > limit
        }
      }),
    read: (refs) =>
      Effect.succeed(
        refs.flatMap((ref) =>
          passages.filter((one) => one.document_id === ref.document_id && one.ordinal === ref.ordinal)
        )
      )
  }
  const quoted = ({ document_id, end, start }: Quote): string =>
    passages.find((one) => one.document_id === document_id)!.text.slice(start, end)
  return { source, searched, quoted }
}

export const questionOf = (query: string, more: Partial<Question> = {}): Question => ({
  workspaceId: WorkspaceId.make("00000000-0000-7000-8000-000000000099"),
  query,
  timezone: "UTC",
  now: new Date("2026-03-02T10:00:00Z"),
  language: null,
  history: [],
  ...more
})
