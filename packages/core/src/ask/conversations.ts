/** Messages in their conversations: a reply need not repeat what it answers. */
import {
  adjacentMessages,
  conversationAround,
  conversationSpan,
  type FilterOptions,
  type Hit
} from "@tributary/retrieval"
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
const CONTEXT_MESSAGES = 2

type Scored = Passage & { readonly score: number }

/** The last messages before a passage in its conversation. `adjacent` are the messages around each, by document id. */
const contextOf = (
  all: ReadonlyArray<Scored>,
  passage: Scored,
  adjacent: ReadonlyMap<string, ReadonlySet<string>>
): string => {
  const stream = streamTag(passage.document)
  if (stream === null) return ""
  const at = passage.document.timestamp.getTime()
  return all
    .filter(({ document }) =>
      streamTag(document) === stream && document.timestamp.getTime() < at &&
      adjacent.get(document.document_id)?.has(passage.document_id) === true
    )
    .sort((left, right) => left.document.timestamp.getTime() - right.document.timestamp.getTime())
    .slice(-CONTEXT_MESSAGES)
    .map(({ text }) => text)
    .join("\n")
}

/** Each message of a conversation with all others of it. */
const adjacencyOf = (conversations: ReadonlyArray<ReadonlyArray<Hit>>): ReadonlyMap<string, ReadonlySet<string>> => {
  const adjacent = new Map<string, Set<string>>()
  for (const conversation of conversations) {
    const ids = conversation.map(({ documentId }) => documentId)
    for (const id of ids) adjacent.set(id, new Set([...adjacent.get(id) ?? [], ...ids]))
  }
  return adjacent
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

    /** A hit and the messages around it; nothing for what is no message. */
    const conversationOf = Effect.fnUntraced(function*([hit, { document }]: readonly [Hit, Passage]) {
      const stream = streamTag(document)
      if (stream === null) return []
      const around = yield* views.each(
        workspaceId,
        view,
        conversationSpan(hit),
        (parts) => Effect.sync(() => conversationAround(parts, stream, hit, filter))
      )
      return [hit, ...adjacentMessages(around.flat(), hit)]
    })

    const conversations = yield* Effect.forEach(passages.slice(0, FOLLOWED), conversationOf)
    const known = new Set(passages.map(([hit]) => hit.documentId))
    const others = conversations.flat().filter(({ documentId }) => !known.has(documentId))
    const unread = new Map(others.map((hit) => [hit.documentId, hit]))
    const read = yield* readPassages(documents, workspaceId, [...unread.values()], false)
    const all = [...passages, ...read].map(([hit, passage]): Scored => ({ ...passage, score: hit.score }))
    const adjacent = adjacencyOf(conversations)
    return all.map((passage) => ({ ...passage, context: contextOf(all, passage, adjacent) }))
  }
)
