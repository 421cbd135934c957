/**
 * Builds segments outside of the request thread. Tiny ones are built in the request thread, because sending them costs as much.
 * Segments that a search waits for do not queue behind a rebuild, which has a separate thread of lower priority, nor small
 * ones behind large ones.
 */
import { IndexBuilder, type MergePart, type SegmentDraft } from "@tributary/core/ports/IndexBuilder"
import { textLength } from "@tributary/retrieval"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Worker } from "node:worker_threads"
import type { Answer, Piece, Task, Thread } from "./internal/indexMessages.ts"
import { piecesOf } from "./internal/taskPieces.ts"
import { isPresent, ownModule, requireModule } from "./ownModule.ts"
import { Supervised } from "./Supervised.ts"

/** UTF-16 code units of text, or bytes of segments. */
const TINY = 100_000
const SMALL = 4_000_000

/** Milliseconds after which an idle thread stops, which returns its memory to the system. */
const IDLE = 5_000

/** The heap size for new objects, in megabytes. By default a thread takes far more, and is no faster. */
const YOUNG = 24

const entry = ownModule(new URL("./internal/indexWorker.ts", import.meta.url))

const spawn = (workerData: Thread): Worker =>
  new Worker(entry, { name: "index", workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG } })

/** Sends a task in pieces, so that this thread can do other work in between, and returns its answer. */
const perform = async (thread: Supervised<Piece, Answer>, task: Task, signal: AbortSignal) => {
  const pieces = piecesOf(task)
  let sending: NodeJS.Immediate | undefined
  const send = () => {
    const { done, value } = pieces.next()
    if (done === true) return
    if (value !== null) thread.post(value.piece, value.moved)
    sending = setImmediate(send)
  }
  try {
    const answer = thread.answer(signal)
    send()
    const reply = await answer
    if ("error" in reply) throw new Error(reply.error)
    return reply.bytes
  } finally {
    clearImmediate(sending)
  }
}

const makeThread = Effect.fnUntraced(function*(workerData: Thread) {
  const thread = new Supervised<Piece, Answer>(() => spawn(workerData), IDLE)

  /** Whether the thread holds no unfinished segment. */
  let isClear = true

  yield* Effect.addFinalizer(() => Effect.promise(() => thread.kill()))
  const alone = yield* Semaphore.make(1)

  const rest = Effect.sync(() => {
    if (isClear) thread.rest()
    else void thread.kill()
    isClear = true
  })

  /** No other task runs in between until the scope ends. An unfinished segment ends with the thread then. */
  const turn = Effect.acquireRelease(
    alone.take(1),
    () => Effect.andThen(rest, alone.release(1)),
    { interruptible: true }
  )

  const ask = (task: Task) =>
    Effect.promise(async (signal) => {
      isClear = false
      const bytes = await perform(thread, task, signal)
      isClear = bytes !== null
      return bytes
    })
  const bytesOf = (task: Task) => Effect.map(ask(task), (bytes) => bytes!)
  const draft: SegmentDraft = {
    add: (input) => Effect.asVoid(ask({ type: "add", input })),
    finish: bytesOf({ type: "finish", input: [] })
  }

  return {
    merge: (input: ReadonlyArray<MergePart>) => Effect.scoped(Effect.andThen(turn, bytesOf({ type: "merge", input }))),
    draft: Effect.as(turn, draft)
  }
})

const make = Effect.gen(function*() {
  yield* requireModule(entry)
  const inThisThread = yield* IndexBuilder
  const urgent = yield* makeThread({ urgency: "urgent" })
  const large = yield* makeThread({ urgency: "urgent" })
  const patient = yield* makeThread({ urgency: "patient" })
  return IndexBuilder.of({
    build: Effect.fnUntraced(function*(documents) {
      const size = documents.reduce((sum, document) => sum + textLength(document), 0)
      if (size <= TINY) return yield* inThisThread.build(documents)
      const draft = yield* size <= SMALL ? urgent.draft : large.draft
      yield* draft.add(documents)
      return yield* draft.finish
    }, Effect.scoped),
    merge: (parts) => {
      const size = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
      return size <= TINY ? inThisThread.merge(parts) : size <= SMALL ? urgent.merge(parts) : patient.merge(parts)
    },
    draft: patient.draft
  })
})

/** Whether the module of the threads is there, which a bundle lacks. */
export const isAvailable = (): boolean => isPresent(entry)

export const layer = Layer.effect(IndexBuilder, make)
