/** Passages with what stands before them in their documents: a row of a table does not repeat the head of the table. */
import { Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import { DocumentStore, type Passage } from "../ports/DocumentStore.ts"

/** Of so many of the best passages it is read. */
const FOLLOWED = 8

/** So many passages before one are looked through. */
const ABOVE = 8

const isBefore = (one: Passage, passage: Passage): boolean =>
  one.document_id === passage.document_id && one.change_seq === passage.change_seq &&
  one.ordinal < passage.ordinal && one.ordinal >= passage.ordinal - ABOVE

export const withTextAbove = Effect.fnUntraced(
  function*<P extends Passage>(workspaceId: WorkspaceId, passages: ReadonlyArray<P>) {
    const documents = yield* DocumentStore
    const refs = passages.slice(0, FOLLOWED).flatMap(({ change_seq, document_id, ordinal }) =>
      Array.from({ length: Math.min(ABOVE, ordinal) }, (_, before) => ({
        document_id,
        change_seq,
        ordinal: ordinal - before - 1
      }))
    )
    const read = refs.length === 0 ? [] : yield* documents.passages(workspaceId, refs, false)
    const inOrder = [...new Map(read.map((passage) => [`${passage.document_id} ${passage.ordinal}`, passage])).values()]
      .sort((left, right) => left.ordinal - right.ordinal)
    return passages.map((passage) => ({
      ...passage,
      above: inOrder.filter((one) => isBefore(one, passage)).map(({ text }) => text).join("")
    }))
  }
)
