/** What the threads that build segments are told, and what they answer. */
import type { IndexBuilder, IndexUrgency } from "@tributary/core/ports/IndexBuilder"

type Builder = IndexBuilder["Service"]

/** What a thread is told when it starts; it comes as its `workerData`. */
export interface Thread {
  readonly urgency: typeof IndexUrgency.Service
}

export type Task =
  | { readonly type: "build"; readonly input: Parameters<Builder["build"]>[0] }
  | { readonly type: "merge"; readonly input: Parameters<Builder["merge"]>[0] }

/** Some of a task's input, in its order. With the last piece the task begins. */
export type Piece = Task & { readonly isLast: boolean }

export type Answer = { readonly bytes: Uint8Array } | { readonly error: string }

/** In the calling thread. */
export const perform = (builder: Builder, task: Task) =>
  task.type === "build" ? builder.build(task.input) : builder.merge(task.input)
