/** Messages in their conversations: a reply need not repeat what it answers. */
import { adjacentIn, type FilterOptions, type Hit, sessionOf, sessionSpan } from "@tributary/retrieval"
import { Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import { DocumentStore, type Passage } from "../ports/DocumentStore.ts"
import { readPassages } from "../search/readPassages.ts"
import { ContextViews } from "../context/ContextViews.ts"
import type { View } from "../context/View.ts"
import { streamTag } from "../context/indexDocument.ts"

/** The conversation is read for this many of the best passages. */
const FOLLOWED = 8

/** How many earlier messages give the context of one. */
const REMEMBERED = 2

type Scored = Passage & { readonly score: number }

const before = (
  all: ReadonlyArray<Scored>,
  passage: Scored,
  near: ReadonlyMap<string, ReadonlySet<string>>
): string => {
  const stream = streamTag(passage.document)
  if (stream === null) return ""
  const at = passage.document.timestamp.getTime()
  return all
    .filter(({ document }) =>
      streamTag(document) === stream && document.timestamp.getTime() < at &&
      near.get(document.document_id)?.has(passage.document_id) === true
    )
    .sort((left, right) => left.document.timestamp.getTime() - right.document.timestamp.getTime())
    .slice(-REMEMBERED)
    .map(({ text }) => text)
    .join("\n")
}

/** The passages, best first, followed by the neighbouring messages. */
export const withConversations = Effect.fnUntraced(
  function*(
    workspaceId: WorkspaceId,
    view: View,
    filter: FilterOptions,
    passages: ReadonlyArray<readonly [Hit, Passage]>
  ) {
    const documents = yield* DocumentStore
    const views = yield* ContextViews
    const near = new Map<string, Set<string>>()
    const link = (one: string, other: string) => near.set(one, (near.get(one) ?? new Set()).add(other))
    const known = new Set(passages.map(([hit]) => hit.documentId))
    const around = new Map<string, Hit>()
    for (const [hit, { document }] of passages.slice(0, FOLLOWED)) {
      const stream = streamTag(document)
      if (stream === null) continue
      const said = yield* views.each(
        workspaceId,
        view,
        sessionSpan(hit),
        (parts) => Effect.sync(() => sessionOf(parts, stream, hit, filter))
      )
      const session = adjacentIn(said.flat(), hit)
      for (const one of [hit, ...session]) for (const other of [hit, ...session]) link(one.documentId, other.documentId)
      for (const other of session) if (!known.has(other.documentId)) around.set(other.documentId, other)
    }
    const read = yield* readPassages(documents, workspaceId, [...around.values()], false)
    const all: ReadonlyArray<Scored> = [...passages, ...read].map(([hit, passage]) => ({
      ...passage,
      score: hit.score
    }))
    return all.map((passage) => ({ ...passage, context: before(all, passage, near) }))
  }
)
