/** Messages to and from the threads that build segments. */
import type { SegmentBuilding, SegmentDraft } from "@tributary/core/ports/IndexBuilder"

/** The configuration of a thread, passed as `workerData`. */
export interface Thread {
  readonly urgency: "urgent" | "patient"
}

/** `add` appends documents to the segment under construction, `finish` returns it, `merge` needs none. */
export type Task =
  | { readonly type: "add"; readonly input: Parameters<SegmentDraft["add"]>[0] }
  | { readonly type: "finish"; readonly input: readonly [] }
  | { readonly type: "merge"; readonly input: Parameters<SegmentBuilding["merge"]>[0] }

/**
 * Some of a task's input, in its order. The last piece is answered, and one that fails. `isCut`: the remaining chunks of
 * its last document are in the next piece.
 */
export type Piece = Task & { readonly isLast: boolean; readonly isCut?: boolean }

/** Null where documents were added. */
export type Answer = { readonly bytes: Uint8Array | null } | { readonly error: string }
