/**
 * Processes that read files, each one at a time, with an end to its patience.
 *
 * A small file can take a library forever, or all memory there is, and a thread that runs out of memory can take the
 * whole process along. So it is a process: it is ended, the file is refused, and the next file gets a new one. It may
 * not write, start anything, or see the environment.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { type Duration, Effect, Schedule, Semaphore } from "effect"
import type { Format } from "./formatOf.ts"

export interface Task {
  readonly format: Format
  readonly bytes: Uint8Array
}

export type Answer = { readonly extracted: Extracted } | { readonly damaged: string }

export interface Limits {
  /** How long one file may take. */
  readonly time: Duration.Duration
  /** How much one file may take of the heap, and on Linux, as much again outside it. */
  readonly megabytes: number
}

/** One file that takes its time holds nobody else up; more would take memory that few machines have to spare. */
const AT_ONCE = 2

/** Milliseconds without a file after which a process is ended. */
const IDLE = 60_000

/** How often memory outside the heap is looked at, which the runtime does not bound. */
const WATCH = "200 millis"
const PAGE_BYTES = 4_096
/** What the process takes before it reads anything. */
const BASE_MEGABYTES = 150

// Compiled, this module and the process's end in .js.
const entry = fileURLToPath(
  import.meta.url.endsWith(".ts")
    ? new URL("./readerMain.ts", import.meta.url)
    : new URL("./readerMain.js", import.meta.url)
)

const tooSlow: Answer = { damaged: "The file takes too long to read." }
const tooLarge: Answer = { damaged: "The file takes too much memory to read." }

const start = async (megabytes: number): Promise<ChildProcess> => {
  const child = fork(entry, {
    env: {},
    execArgv: ["--permission", "--allow-fs-read=*", "--no-warnings", `--max-old-space-size=${megabytes}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  await once(child, "message")
  return child
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  // Nothing else may be left that keeps the host waiting for it.
  child.ref()
  const exited = once(child, "exit")
  child.kill("SIGKILL")
  await exited
}

/** A process that dies over a file had too little memory for it: nothing else ends it. */
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

const residentBytes = (child: ChildProcess): Promise<number> =>
  readFile(`/proc/${child.pid}/statm`, "latin1").then((text) => Number(text.split(" ")[1]) * PAGE_BYTES, () => 0)

const outgrown = (child: ChildProcess, megabytes: number) =>
  Effect.promise(() => residentBytes(child)).pipe(
    Effect.repeat({
      schedule: Schedule.spaced(WATCH),
      until: (bytes) => bytes > (BASE_MEGABYTES + 2 * megabytes) * 1_000_000
    }),
    Effect.as(tooLarge)
  )

export const makeReaderProcesses = Effect.fnUntraced(function*({ megabytes, time }: Limits) {
  const turns = yield* Semaphore.make(AT_ONCE)
  /** Those without a file, each with what will end it. */
  const idle = new Map<ChildProcess, NodeJS.Timeout>()

  const noLongerIdle = (child: ChildProcess): ChildProcess => {
    clearTimeout(idle.get(child))
    idle.delete(child)
    return child
  }

  const take = Effect.promise(async () => {
    // The one that read last, so that the other one gets to its end.
    const last = [...idle.keys()].findLast(({ connected }) => connected)
    const child = last === undefined ? await start(megabytes) : noLongerIdle(last)
    child.ref()
    child.channel?.ref()
    return { child, sound: false }
  })

  const read = (child: ChildProcess, task: Task) =>
    Effect.raceAllFirst([
      ask(child, task),
      outgrown(child, megabytes),
      Effect.as(Effect.sleep(time), tooSlow)
    ])

  /** One that did not come to its answer is of no more use; one that waits for files does not keep its host alive. */
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

  return (task: Task): Effect.Effect<Answer> =>
    turns.withPermit(Effect.acquireUseRelease(
      take,
      (held) =>
        Effect.tap(read(held.child, task), (answer) =>
          Effect.sync(() => {
            held.sound = answer !== tooSlow && answer !== tooLarge
          })),
      release
    ))
})
