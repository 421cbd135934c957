/**
 * Processes that parse files, one file at a time, with a time limit.
 *
 * A small file can keep a library busy forever, or exhaust the memory, and a thread without memory can crash the whole
 * process. So each parser is a process: it is killed, the file is refused, and the next file gets a new one. Accounts
 * take turns, so that one cannot block all processes, however many workspaces it has.
 */
import { fork } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { makeFairQueue } from "@tributary/core/FairQueue"
import type { Overloaded } from "@tributary/core/model/Error"
import { type Extracted, ReadFor } from "@tributary/core/ports/TextExtractor"
import { ownModule } from "@tributary/node/ownModule"
import { Supervised } from "@tributary/node/Supervised"
import { Duration, Effect, Schedule } from "effect"
import { type Confinement, sandboxed } from "./sandbox.ts"
import { processorMillis, residentBytes } from "./resourceUsage.ts"
import type { Format } from "./formatOf.ts"

export interface Task {
  readonly format: Format
  readonly bytes: Uint8Array
  /** As the sender declares it; empty otherwise. */
  readonly charset: string
}

export type Answer =
  | { readonly extracted: Extracted }
  | { readonly damaged: string }
  /** It is not even tried. */
  | { readonly refused: string }

export interface Limits {
  /** The time limit of one file. */
  readonly time: Duration.Duration
  /** The processor time limit of one file, if the system reports it. */
  readonly processor: Duration.Duration
  /** The heap limit of one file; on Linux, the same again outside the heap. */
  readonly megabytes: number
}

/** A slow file blocks nobody else with two processes; more would need too much memory. */
const AT_ONCE = 2
/** Files of one account wait for each other, so that two accounts are served at a time. */
const PER_ACCOUNT = 1
/** Waiting files are kept in memory. */
const MAX_WAITING = 64
const MAX_WAITING_PER_ACCOUNT = 16

/** Milliseconds without a file after which a process stops. */
const IDLE = 60_000

/** How often the resource use of a process is checked. */
const WATCH = "200 millis"
/** The memory of the process before it parses anything. */
const BASE_MEGABYTES = 150

const entry = fileURLToPath(ownModule(new URL("./readerMain.ts", import.meta.url)))

/** A bundler that splits this package leaves the module of the process behind. */
const isBundled = !existsSync(entry)

const bundled: Answer = {
  refused: "This program has @tributary/extract in its bundle, where the processes that read files cannot start. " +
    "Leave the packages @tributary/* out of the bundle, as \"external\"."
}

const isOnNode = !("bun" in process.versions || "deno" in process.versions)

/** The permissions of the process are those of Node. */
const unconfined: Answer = {
  refused: "This file can only be read on Node, whose permissions confine the process that reads it. " +
    "Plain text, and Markdown, HTML and JSON up to 256 KiB, can be read here, too."
}

const refusal = isBundled ? bundled : isOnNode ? null : unconfined

const tooSlow: Answer = { damaged: "The file takes too long to read." }
const tooLarge: Answer = { damaged: "The file takes too much memory to read." }

type ReaderProcess = Supervised<Task, Answer>

/** Until it says that it is ready. */
const start = (reader: ReaderProcess) =>
  Effect.promise(async (signal) => {
    const ready = reader.answer(signal)
    reader.start()
    await ready.catch((cause: unknown) => {
      throw new Error("The process that reads files did not start.", { cause })
    })
  })

/** A process that dies while parsing ran out of memory. */
const ask = (reader: ReaderProcess, task: Task) =>
  Effect.promise((signal) => {
    const answer = reader.answer(signal)
    reader.post(task)
    return answer.catch(() => tooLarge)
  })

/** Limits that the runtime does not enforce: memory outside the heap, and processor time. */
const outgrown = Effect.fnUntraced(function*({ pid }: ReaderProcess, { megabytes, processor }: Limits) {
  const before = yield* Effect.promise(() => processorMillis(pid))
  const look = Effect.promise(async (): Promise<Answer | null> => {
    if (await residentBytes(pid) > (BASE_MEGABYTES + 2 * megabytes) * 1_000_000) return tooLarge
    return await processorMillis(pid) - before > Duration.toMillis(processor) ? tooSlow : null
  })
  return (yield* Effect.repeat(look, { schedule: Schedule.spaced(WATCH), until: (answer) => answer !== null }))!
})

export const makeReaderProcesses = Effect.fnUntraced(function*(limits: Limits, available: Promise<Confinement>) {
  const turns = makeFairQueue({
    atOnce: AT_ONCE,
    perKey: PER_ACCOUNT,
    most: MAX_WAITING,
    mostPerKey: MAX_WAITING_PER_ACCOUNT,
    message: "Too many files are waiting to be read."
  })
  let confinement: Confinement = { isNetworkless: false, isFiltered: false }
  const spawn = () =>
    fork(entry, {
      ...sandboxed(limits.megabytes, confinement),
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"]
    })
  const all = Array.from({ length: AT_ONCE }, (): ReaderProcess => new Supervised(spawn, IDLE))
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all(all.map((reader) => reader.kill()))))

  /** The most recently used one comes last. */
  const free = [...all]

  // A running one, so that others can stop.
  const take = Effect.sync(() => {
    const at = Math.max(free.findLastIndex(({ isRunning }) => isRunning), 0)
    return { reader: free.splice(at, 1)[0]!, sound: false }
  })

  const read = Effect.fnUntraced(function*(reader: ReaderProcess, task: Task) {
    confinement = yield* Effect.promise(() => available)
    if (!reader.isRunning) yield* start(reader)
    return yield* Effect.raceAllFirst([
      ask(reader, task),
      outgrown(reader, limits),
      Effect.as(Effect.sleep(limits.time), tooSlow)
    ])
  })

  /** A process without an answer is not used again; an idle one does not keep its host alive. */
  const release = Effect.fnUntraced(function*({ reader, sound }: Effect.Success<typeof take>) {
    if (sound) reader.rest()
    else yield* Effect.promise(() => reader.kill())
    free.push(reader)
  })

  return Effect.fnUntraced(function*(task: Task): Effect.fn.Return<Answer, Overloaded> {
    if (refusal !== null) return refusal
    const turn = turns(yield* ReadFor)
    return yield* turn(Effect.acquireUseRelease(
      take,
      (held) =>
        Effect.tap(read(held.reader, task), (answer) =>
          Effect.sync(() => {
            held.sound = answer !== tooSlow && answer !== tooLarge
          })),
      release
    ))
  })
})
