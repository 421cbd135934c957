// What changes leave besides text, which the caps of a plan do not count, within a day.
import { assert, describe, it } from "@effect/vitest"
import { Ingest, PendingChunks } from "@tributary/core/Ingest"
import { Documents } from "@tributary/core/Documents"
import { Workspaces } from "@tributary/core/Workspaces"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { admitPulled } from "../../src/sync/run/admitPulled.ts"
import { connected, services } from "../support/services.ts"

/** 50 entries: the largest metadata of one document, about 100,000 characters. */
const largest = (value: string) =>
  Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`, value.padEnd(2_000, ".")]))

/** A workspace that pushes a hundred documents with the largest metadata, again and again. */
const pushing = Effect.gen(function*() {
  const { id, source } = yield* connected()
  const [documents, ingest, workspaces] = [yield* Documents, yield* Ingest, yield* Workspaces]
  const workspace = yield* workspaces.update(id, { limits: { storage: 100_000_000 } })
  const push = (value: string, by = workspace) =>
    ingest.text(
      by,
      source,
      Array.from({ length: 100 }, (_, at) => ({ external_id: `${at}`, text: "x", metadata: largest(value) }))
    )
  const refusal = Effect.flip(push("one more"))
  return { documents, id, ingest, push, refusal, source, workspace, workspaces }
})

describe("Changes of a workspace with a cap on its storage", () => {
  it.effect("are refused for the rest of the day when their metadata and events are too large", () =>
    Effect.gen(function*() {
      const { push, refusal, workspace } = yield* pushing
      for (let day = 0; day < 2; day++) {
        for (let version = 0; version < 9; version++) yield* push(`${day} ${version}`)
        yield* TestClock.adjust("1 hour")
        const { _tag, ...refused } = yield* refusal
        assert.strictEqual(_tag, "rate_limit_exceeded")
        assert.deepInclude(refused, { endpoint: "ingest", remaining: 0, window_seconds: 86_400, retry_after: 82_800 })
        yield* TestClock.adjust("23 hours")
      }
      assert.strictEqual((yield* push("tomorrow", workspace)).events, 100)
    }).pipe(Effect.provide(services)))

  it.effect("count only what is stored", () =>
    Effect.gen(function*() {
      const { push, refusal } = yield* pushing
      for (let again = 0; again < 20; again++) {
        assert.strictEqual((yield* push("the same")).items[0]?.status, again === 0 ? "created" : "unchanged")
      }
      for (let version = 0; version < 8; version++) yield* push(`${version}`)
      assert.strictEqual((yield* refusal)._tag, "rate_limit_exceeded")
    }).pipe(Effect.provide(services)))

  it.effect("count the text of a file and its payload if they are far longer than the file", () =>
    Effect.gen(function*() {
      const unpacked = Layer.mock(TextExtractor, {
        fromFile: ({ name }) => Effect.succeed({ title: null, text: "x".repeat(Number(name)) })
      })
      const { source, workspace } = yield* pushing
      yield* Effect.gen(function*() {
        const ingest = yield* Ingest
        const upload = (bytes: number, text: number) =>
          ingest.file(workspace, source, {
            file: { bytes: new Uint8Array(bytes), name: `${text}`, contentType: "application/pdf" }
          })
        for (let file = 0; file < 3; file++) yield* upload(1_000_000, 8_000_000)
        for (let file = 0; file < 4; file++) yield* upload(100_000, 25_000_000)
        assert.strictEqual((yield* Effect.flip(upload(100_000, 25_000_000)))._tag, "rate_limit_exceeded")
        yield* upload(1_000_000, 8_000_000)
        const payload = { numbers: Array.from({ length: 1_000_000 }, () => 1000) }
        const file = { bytes: new Uint8Array(1), name: "1", contentType: "application/pdf" }
        assert.strictEqual(
          (yield* Effect.flip(ingest.file(workspace, source, { file, payload })))._tag,
          "rate_limit_exceeded"
        )
      }).pipe(Effect.provide(Layer.fresh(Ingest.layer).pipe(Layer.provideMerge(unpacked))))
    }).pipe(Effect.provide(services), Effect.provideService(PendingChunks, null)))

  it.effect("are one budget for requests at the same time", () =>
    Effect.gen(function*() {
      const { push } = yield* pushing
      const pushed = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, at) => `${at}`),
        (value) => Effect.exit(push(value)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(pushed.filter(({ _tag }) => _tag === "Success"), 9)
    }).pipe(Effect.provide(services)))

  it.effect("are one budget, pushed or pulled", () =>
    Effect.gen(function*() {
      const { refusal, source, workspace } = yield* pushing
      const origin = { connector_id: source, source: "custom:notes" }
      const pull = (version: string) =>
        admitPulled(
          workspace,
          origin,
          Array.from({ length: 100 }, (_, at) => ({
            external_id: `${at}`,
            timestamp: new Date(0),
            payload: { kind: "page" },
            metadata: largest(version)
          })),
          undefined
        )
      for (let version = 0; version < 9; version++) {
        assert.strictEqual((yield* pull(`${version}`))?.ingested, 100)
      }
      assert.deepInclude(yield* Effect.flip(pull("one more")), {
        _tag: "RetryableFailure",
        retry_after_seconds: 86_400
      })
      assert.strictEqual((yield* refusal)._tag, "rate_limit_exceeded")
    }).pipe(Effect.provide(services)))

  it.effect("have no limit without a cap", () =>
    Effect.gen(function*() {
      const { id, push, workspaces } = yield* pushing
      const paying = yield* workspaces.update(id, { limits: { storage: null } })
      for (let version = 0; version < 12; version++) yield* push(`${version}`, paying)
    }).pipe(Effect.provide(services)))
})
