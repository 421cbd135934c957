/** What the threads that build segments are told, and what they answer. */
import type { SegmentBuilding, SegmentDraft } from "@tributary/core/ports/IndexBuilder"

/** What a thread is told when it starts; it comes as its `workerData`. */
export interface Thread {
  readonly urgency: "urgent" | "patient"
}

/** Documents are added to the segment that the thread builds, until it is told to finish it. */
export type Task =
  | { readonly type: "add"; readonly input: Parameters<SegmentDraft["add"]>[0] }
  | { readonly type: "finish"; readonly input: readonly [] }
  | { readonly type: "merge"; readonly input: Parameters<SegmentBuilding["merge"]>[0] }

/** Some of a task's input, in its order. The last piece is answered, and one that fails. */
export type Piece = Task & { readonly isLast: boolean }

/** Null where documents were added. */
export type Answer = { readonly bytes: Uint8Array | null } | { readonly error: string }
