/**
 * Processes that parse files, one file at a time, with a time limit.
 *
 * A small file can keep a library busy forever, or exhaust the memory, and a thread without memory can crash the whole
 * process. So each parser is a process: it is killed, the file is refused, and the next file gets a new one. Workspaces
 * take turns, so that one cannot block all processes.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { makeFairTurns } from "@tributary/core/FairTurns"
import type { Overloaded } from "@tributary/core/model/Error"
import { type Extracted, ReadFor } from "@tributary/core/ports/TextExtractor"
import { Duration, Effect, Schedule } from "effect"
import { canLeaveNetwork, confined } from "./confinement.ts"
import { processorMillis, residentBytes } from "./consumption.ts"
import type { Format } from "./formatOf.ts"

export interface Task {
  readonly format: Format
  readonly bytes: Uint8Array
}

export type Answer = { readonly extracted: Extracted } | { readonly damaged: string }

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
/** Files of one workspace wait for each other, so that two workspaces are served at a time. */
const PER_WORKSPACE = 1
/** Waiting files are kept in memory. */
const MOST = 64
const MOST_PER_WORKSPACE = 16

/** Milliseconds without a file after which a process stops. */
const IDLE = 60_000

/** How often the resource use of a process is checked. */
const WATCH = "200 millis"
/** The memory of the process before it parses anything. */
const BASE_MEGABYTES = 150

// In a build, this module and that of the process end in .js.
const entry = fileURLToPath(
  import.meta.url.endsWith(".ts")
    ? new URL("./readerMain.ts", import.meta.url)
    : new URL("./readerMain.js", import.meta.url)
)

/** A bundler that splits this package leaves the module of the process behind. */
const isBundled = !existsSync(entry)

const bundled: Answer = {
  damaged: "This program has @tributary/extract in its bundle, where the processes that read files cannot start. " +
    "Leave the packages @tributary/* out of the bundle, as \"external\"."
}

const tooSlow: Answer = { damaged: "The file takes too long to read." }
const tooLarge: Answer = { damaged: "The file takes too much memory to read." }

const start = async (megabytes: number, networkless: boolean): Promise<ChildProcess> => {
  const child = fork(entry, {
    ...confined({ megabytes, networkless }),
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  const failed = new AbortController()
  try {
    await Promise.race([
      once(child, "message", failed),
      once(child, "exit", failed).then(([code, signal]) => {
        throw new Error(`The process that reads files did not start (${code ?? signal}).`)
      })
    ])
  } finally {
    failed.abort()
  }
  return child
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  // Nothing else may keep the host's process alive.
  child.ref()
  const exited = once(child, "exit")
  child.kill("SIGKILL")
  await exited
}

/** A process that dies while parsing ran out of memory. */
const ask = (child: ChildProcess, task: Task) =>
  Effect.callback<Answer>((resume) => {
    const answered = (answer: unknown) => settle(answer as Answer)
    const died = () => settle(tooLarge)
    const leave = () => void child.off("message", answered).off("exit", died)
    const settle = (answer: Answer) => {
      leave()
      resume(Effect.succeed(answer))
    }
    child.once("message", answered).once("exit", died)
    child.send(task)
    return Effect.sync(leave)
  })

/** Limits that the runtime does not enforce: memory outside the heap, and processor time. */
const outgrown = Effect.fnUntraced(function*({ pid }: ChildProcess, { megabytes, processor }: Limits) {
  const before = yield* Effect.promise(() => processorMillis(pid))
  const look = Effect.promise(async (): Promise<Answer | null> => {
    if (await residentBytes(pid) > (BASE_MEGABYTES + 2 * megabytes) * 1_000_000) return tooLarge
    return await processorMillis(pid) - before > Duration.toMillis(processor) ? tooSlow : null
  })
  return (yield* Effect.repeat(look, { schedule: Schedule.spaced(WATCH), until: (answer) => answer !== null }))!
})

export const makeReaderProcesses = Effect.fnUntraced(function*(limits: Limits) {
  const turns = makeFairTurns({
    atOnce: AT_ONCE,
    perKey: PER_WORKSPACE,
    most: MOST,
    mostPerKey: MOST_PER_WORKSPACE,
    message: "Too many files are waiting to be read."
  })
  const networkless = yield* Effect.cached(Effect.promise(canLeaveNetwork))
  /** Idle processes, each with its stop timer. */
  const idle = new Map<ChildProcess, NodeJS.Timeout>()

  const noLongerIdle = (child: ChildProcess): ChildProcess => {
    clearTimeout(idle.get(child))
    idle.delete(child)
    return child
  }

  const take = Effect.gen(function*() {
    // The most recently used one, so that the other one can stop.
    const last = [...idle.keys()].findLast(({ connected }) => connected)
    const isKept = yield* networkless
    const child = last === undefined
      ? yield* Effect.promise(() => start(limits.megabytes, isKept))
      : noLongerIdle(last)
    child.ref()
    child.channel?.ref()
    return { child, sound: false }
  })

  const read = (child: ChildProcess, task: Task) =>
    Effect.raceAllFirst([
      ask(child, task),
      outgrown(child, limits),
      Effect.as(Effect.sleep(limits.time), tooSlow)
    ])

  /** A process without an answer is not used again; an idle one does not keep its host alive. */
  const release = ({ child, sound }: { readonly child: ChildProcess; readonly sound: boolean }) => {
    if (!sound) return Effect.promise(() => end(child))
    child.unref()
    child.channel?.unref()
    idle.set(child, setTimeout(() => void end(noLongerIdle(child)), IDLE).unref())
    return Effect.void
  }

  yield* Effect.addFinalizer(() =>
    Effect.promise(() => Promise.all(Array.from(idle.keys(), (child) => end(noLongerIdle(child)))))
  )

  return Effect.fnUntraced(function*(task: Task): Effect.fn.Return<Answer, Overloaded> {
    if (isBundled) return bundled
    const turn = turns(yield* ReadFor)
    return yield* turn(Effect.acquireUseRelease(
      take,
      (held) =>
        Effect.tap(read(held.child, task), (answer) =>
          Effect.sync(() => {
            held.sound = answer !== tooSlow && answer !== tooLarge
          })),
      release
    ))
  })
})
