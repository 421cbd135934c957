/** Brings a view up to date: later changes are indexed in its tail. */
import { type IndexDocument, packSegments } from "@tributary/retrieval"
import { Effect } from "effect"
import { inSharedSlices, inSlices } from "../scheduling/Slices.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { IndexBuilder } from "../ports/IndexBuilder.ts"
import { indexDocuments } from "./indexDocument.ts"
import { packConsecutive } from "./segments/packConsecutive.ts"
import { mergeParts } from "./segments/mergeParts.ts"
import { advance, changedParts, type Part, spanOf, spanOfParts, tailPart, type View } from "./View.ts"

/**
 * How many changes are indexed in one step, because each step learns its words again: as many as may wait, which are
 * `PendingChunks` and one batch.
 */
const BATCH = 6_000

/** Parts of the tail are merged when there are more, so that a stream of small ingests stays cheap to search. */
const MAX_TAIL_PARTS = 8

const build = Effect.fnUntraced(function*(documents: ReadonlyArray<IndexDocument>) {
  const builder = yield* IndexBuilder
  const parts: Array<Part> = []
  for (const pack of packSegments(documents)) parts.push(tailPart(yield* builder.build(pack), spanOf(pack)))
  return parts
})

const compact = Effect.fnUntraced(function*(pack: ReadonlyArray<Part>) {
  const [only, ...others] = pack
  if (only !== undefined && others.length === 0) return only
  return tailPart(yield* mergeParts(pack), spanOfParts(pack))
})

const compactTail = Effect.fnUntraced(function*(view: View) {
  const tail = changedParts(view)
  if (tail.length <= MAX_TAIL_PARTS) return view
  const compacted = yield* Effect.forEach(packConsecutive(tail, ({ segment }) => segment.chunkCount), compact)
  const stored = view.parts.filter((part) => part.segment_id !== null)
  return { ...view, parts: [...stored, ...compacted] }
})

/** Up to `changeSeq`, or to the last stored change. */
export const catchUp = Effect.fnUntraced(function*(workspaceId: WorkspaceId, from: View, changeSeq: number) {
  const documents = yield* DocumentStore
  let view = from
  while (view.changeSeq < changeSeq) {
    const changes = yield* documents.changes(workspaceId, view.changeSeq, BATCH)
    if (changes.length === 0) break
    const added = yield* build(yield* inSlices(indexDocuments(changes.flatMap(({ document }) => document ?? []))))
    view = yield* compactTail(yield* inSharedSlices(advance(view, changes, added)))
  }
  return view
})
