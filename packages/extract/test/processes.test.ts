/** The processes that files are read in: how many, for how long, and who waits for whom. */
import { type ChildProcess, execFileSync } from "node:child_process"
import { channel } from "node:diagnostics_channel"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@tributary/extract/Extract"
import { ReadFor } from "@tributary/core/ports/TextExtractor"
import { Effect, Result } from "effect"
import { vi } from "vitest"
import { availableConfinement } from "../src/internal/sandbox.ts"
import { read } from "./support/reading.ts"

/** Those that are started from now on, until the scope ends. */
const started = Effect.gen(function*() {
  const processes: Array<ChildProcess> = []
  const remember = (event: unknown) => {
    const { process } = event as { readonly process: ChildProcess }
    // A program that only prints what the system allows does not count.
    setImmediate(() => process.spawnargs.at(-1)?.includes("readerMain") && processes.push(process))
  }
  channel("child_process").subscribe(remember)
  yield* Effect.addFinalizer(() => Effect.sync(() => channel("child_process").unsubscribe(remember)))
  return processes
})

const table = (rows: number) => read("a.csv", "", `a,b\n${"1,2\n".repeat(rows)}`)

const readFor = (account: string) => <A, E, R>(reading: Effect.Effect<A, E, R>) =>
  Effect.provideService(reading, ReadFor, account)

describe("files that are read in processes", () => {
  it.live("do not wait for slow ones of another account", () =>
    Effect.gen(function*() {
      const slow = Effect.forEach([1, 2, 3, 4], () => table(2_000_000), { concurrency: "unbounded" })
      const quick = Effect.repeat(table(1), { times: 5 })
      assert.strictEqual(
        yield* Effect.raceFirst(
          Effect.as(slow, "slow").pipe(readFor("one")),
          Effect.as(quick, "quick").pipe(readFor("other"))
        ),
        "quick"
      )
    }).pipe(Effect.provide(layer)))

  it.effect("are refused if too many of an account are waiting, but not for another account", () =>
    Effect.gen(function*() {
      const attempts = Effect.forEach(Array(20).fill(1), () => Effect.result(table(1)), { concurrency: "unbounded" })
      const [results, other] = yield* Effect.all(
        [attempts.pipe(readFor("one")), Effect.result(table(1)).pipe(readFor("other"))],
        { concurrency: "unbounded" }
      )
      const refused = results.flatMap((result) => Result.isFailure(result) ? [result.failure._tag] : [])
      assert.deepStrictEqual(refused, Array(4).fill("Overloaded"))
      assert.isTrue(Result.isSuccess(other))
      yield* table(1).pipe(readFor("one"))
    }).pipe(Effect.provide(layer)))

  it.effect("are read two at a time, of two accounts, in shared processes", () =>
    Effect.gen(function*() {
      const processes = yield* started
      yield* Effect.forEach([1, 2, 3, 4, 5, 6], (rows) => table(rows).pipe(readFor(`${rows % 3}`)), {
        concurrency: "unbounded"
      })
      yield* table(1)
      assert.lengthOf(processes, 2)
    }).pipe(Effect.provide(layer)))

  it.effect("end their processes after a minute without a file, and get new ones", () =>
    Effect.gen(function*() {
      const processes = yield* started
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.useRealTimers()))
      yield* table(1)
      vi.advanceTimersByTime(59_000)
      yield* table(1)
      vi.advanceTimersByTime(59_000)
      const [first] = processes as [ChildProcess]
      assert.isTrue(first.connected)
      const exited = once(first, "exit")
      vi.advanceTimersByTime(2_000)
      yield* Effect.promise(() => exited)
      assert.strictEqual((yield* table(1)).text, "a: 1\nb: 2")
      assert.lengthOf(processes, 2)
    }).pipe(Effect.provide(layer)))

  it.live("have a filter of system calls if the system offers one", (context) =>
    Effect.gen(function*() {
      if (!(yield* Effect.promise(availableConfinement)).isFiltered) return context.skip("There is none.")
      const processes = yield* started
      yield* table(1)
      const status = readFileSync(`/proc/${processes[0]!.pid}/status`, "utf8")
      assert.match(status, /^NoNewPrivs:\t1$/m)
      assert.match(status, /^Seccomp:\t2$/m)
    }).pipe(Effect.provide(layer)))

  it("do not keep a program alive, and finish what it has started", () => {
    const program = `
      import { layer } from ${JSON.stringify(import.meta.resolve("@tributary/extract/Extract"))}
      import { TextExtractor } from ${JSON.stringify(import.meta.resolve("@tributary/core/ports/TextExtractor"))}
      import { Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
      const file = { name: "a.csv", contentType: "", bytes: new TextEncoder().encode("a,b\\n1,2\\n") }
      const text = Effect.flatMap(TextExtractor, (extractor) => extractor.fromFile(file))
      console.log((await Effect.runPromise(Effect.provide(text, layer))).text)
    `
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" })
    assert.strictEqual(printed, "a: 1\nb: 2\n")
  })
})
