import { assert, describe, it } from "@effect/vitest"
import { SegmentUnreadable } from "@tributary/retrieval"
import { Effect, Layer } from "effect"
import { ContextViews } from "../../src/context/ContextViews.ts"
import { SegmentGone } from "../../src/context/segments/readSegment.ts"
import { retryRead } from "../../src/context/retryRead.ts"
import { WorkspaceId } from "../../src/model/Id.ts"

const id = WorkspaceId.make("0192f0c1-2d3e-7000-8000-000000000001")

const GONE = Effect.fail(new SegmentGone({ segmentId: "s" }))
const damaged = (isFetched: boolean) => Effect.die(new SegmentUnreadable("damaged", isFetched))

type Attempt = Effect.Effect<string, SegmentGone>

/** A read whose attempts end like this, the last one for good; with what it prepared another attempt for. */
const reading = Effect.fnUntraced(
  function*(attempts: ReadonlyArray<Attempt>, isComplete?: (answer: string) => boolean) {
    const recovered: Array<string> = []
    let made = 0
    const views = Layer.mock(ContextViews)({
      recover: (_, failure) =>
        Effect.sync(() => {
          recovered.push(failure instanceof SegmentGone ? "gone" : failure.isFetched ? "copy" : "stored")
        })
    })
    const read = Effect.suspend(() => attempts[Math.min(made++, attempts.length - 1)]!)
    const result = yield* Effect.result(Effect.provide(retryRead(id, read, isComplete), views))
    return { made, recovered, result: result._tag === "Success" ? result.success : result.failure._tag }
  }
)

describe("A read of the knowledge context", () => {
  it.effect("succeeds despite a damaged copy, a damaged original and a running publication", () =>
    Effect.gen(function*() {
      const attempts = [damaged(true), damaged(false), GONE, Effect.succeed("found")]
      assert.deepStrictEqual(yield* reading(attempts), {
        made: 4,
        recovered: ["copy", "stored", "gone"],
        result: "found"
      })
    }))

  it.effect("fails after five attempts", () =>
    Effect.gen(function*() {
      for (const attempt of [GONE, damaged(true), damaged(false)]) {
        const { made, recovered, result } = yield* reading([attempt])
        assert.deepStrictEqual([made, recovered.length, result], [5, 4, "StorageUnavailable"])
      }
    }))

  it.effect("is retried while documents change, and finally omits those that keep changing", () =>
    Effect.gen(function*() {
      const whole = (answer: string) => answer === "all"
      const some = Effect.succeed("some")
      assert.deepStrictEqual(yield* reading([some, Effect.succeed("all")], whole), {
        made: 2,
        recovered: [],
        result: "all"
      })
      assert.deepStrictEqual(yield* reading([some], whole), { made: 5, recovered: [], result: "some" })
    }))

  it.effect("is not retried after an error that a retry cannot fix", () =>
    Effect.gen(function*() {
      const defect = new Error("a mistake")
      const exit = yield* Effect.exit(reading([Effect.die(defect), Effect.succeed("found")]))
      assert.deepStrictEqual(exit, yield* Effect.exit(Effect.die(defect)))
    }))
})
