/**
 * Segments are built off the thread that answers requests. What is tiny is built there all the same, since sending it costs
 * as much; and what a search waits for does not queue behind a rebuild, which has a thread of its own that gives way where
 * the processor is short.
 */
import { IndexBuilder, IndexUrgency } from "@tributary/core/ports/IndexBuilder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Worker } from "node:worker_threads"
import { type Answer, perform, type Task, type Thread } from "./messages.ts"
import { piecesOf, textOf } from "./pieces.ts"

/** UTF-16 code units of text, or bytes of segments. */
const TINY = 100_000
const SMALL = 4_000_000

/** Milliseconds after which a thread without work ends: what building took goes back to the system only then. */
const IDLE = 5_000

/** Megabytes for what is new. Left to itself a thread takes far more, and is no quicker. */
const YOUNG = 24

const sizeOf = ({ input, type }: Task): number =>
  type === "build"
    ? input.reduce((sum, document) => sum + textOf(document), 0)
    : input.reduce((sum, { bytes }) => sum + bytes.length, 0)

// Compiled, this module and the worker's end in .js.
const entry = import.meta.url.endsWith(".ts")
  ? new URL("./indexWorker.ts", import.meta.url)
  : new URL("./indexWorker.js", import.meta.url)

/** A thread that starts with its next task. A task that is interrupted takes the thread along; the next one starts anew. */
const makeThread = Effect.fnUntraced(function*(thread: Thread) {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(idle)
    void worker?.terminate()
    worker = undefined
  }
  yield* Effect.addFinalizer(() => Effect.sync(end))
  const alone = yield* Semaphore.make(1)

  const run = (task: Task) =>
    Effect.callback<Uint8Array>((resume) => {
      clearTimeout(idle)
      const running = worker ??= new Worker(entry, {
        name: "index",
        workerData: thread,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG }
      })
      const pieces = piecesOf(task)
      let sending: NodeJS.Immediate | undefined
      const send = () => {
        const { done, value } = pieces.next()
        if (done === true) return
        if (value !== null) running.postMessage(value.piece, value.moved)
        sending = setImmediate(send)
      }
      const stop = () => {
        clearImmediate(sending)
        running.off("message", answered)
        running.off("error", failed)
        idle = setTimeout(end, IDLE).unref()
      }
      const answered = (answer: Answer) => {
        stop()
        resume("bytes" in answer ? Effect.succeed(answer.bytes) : Effect.die(new Error(answer.error)))
      }
      const failed = (error: unknown) => {
        stop()
        end()
        resume(Effect.die(error))
      }
      running.on("message", answered)
      running.on("error", failed)
      send()
      return Effect.sync(() => {
        stop()
        end()
      })
    })
  return (task: Task) => alone.withPermit(run(task))
})

const make = Effect.gen(function*() {
  const here = yield* IndexBuilder
  const [near, far] = [yield* makeThread({ urgency: "urgent" }), yield* makeThread({ urgency: "patient" })]
  const run = Effect.fnUntraced(function*(task: Task) {
    const size = sizeOf(task)
    if (size <= TINY) return yield* perform(here, task)
    return yield* (yield* IndexUrgency) === "urgent" && size <= SMALL ? near(task) : far(task)
  })
  return IndexBuilder.of({
    build: (input) => run({ type: "build", input }),
    merge: (input) => run({ type: "merge", input })
  })
})

export const layer = Layer.effect(IndexBuilder, make).pipe(Layer.provide(IndexBuilder.layer))
