/** Sources that report changes: who watches them, and what follows. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { OPERATOR } from "../../src/model/Principal.ts"
import { CredentialsRefused, RetryableFailure, SourceGone } from "../../src/ports/Provider.ts"
import { connected, documentsOf, leap, node, service, settle } from "../support/connecting.ts"
import { fill, PASSWORD } from "../support/tinySource.ts"
import { type ReportingSource, reportingSource } from "../support/reportingSource.ts"

const withReporting = <Eff extends Effect.Effect<unknown, unknown, unknown>>(
  test: (source: ReportingSource) => Generator<Eff, void, never>
) =>
() =>
  Effect.flatMap(reportingSource, (source) => {
    fill(source, 3)
    return Effect.provide(Effect.gen(() => test(source)), service(source))
  })

/** The connection's first sync is over, it is watched, and what happened until then is pulled. */
const watched = Effect.fnUntraced(function*() {
  const connection = yield* connected()
  yield* settle(30)
  return connection
})

/** The password of the source is changed, and that of the connection with it. */
const followsPassword = Effect.fnUntraced(
  function*(source: ReportingSource, { connections, id, workspace }: Effect.Success<ReturnType<typeof watched>>) {
    source.password = `${PASSWORD} changed`
    const config = { host: "notes.example", password: source.password }
    yield* connections.update(workspace, id, { config }, OPERATOR)
    yield* settle(30)
    assert.strictEqual(source.watches, 1)
    assert.strictEqual(source.watchesBegan.at(-1)!.password, source.password)
  }
)

it.effect(
  "a watch starts with a sync that finds nothing, and reports earlier changes",
  withReporting(function*(source) {
    const { state } = yield* watched()
    assert.strictEqual(source.syncs, 2)
    assert.deepInclude(yield* state(), { status: "completed", items_ingested: 0, documents: 3 })
  })
)

describe("a change that its source reports", () => {
  it.effect(
    "is pulled at once, long before the next sync is due",
    withReporting(function*(source) {
      const { state, workspaceId } = yield* watched()
      assert.strictEqual(source.watches, 1)
      const before = source.syncs
      source.resources.get("notes")!.set("new", "A new one.")
      yield* source.report
      yield* settle(5)
      assert.deepInclude(yield* state(), { status: "completed", items_ingested: 1 })
      assert.strictEqual(yield* documentsOf(workspaceId), 4)
      assert.strictEqual(source.syncs, before + 1)
    })
  )

  it.effect(
    "is combined with others at the same time",
    withReporting(function*(source) {
      yield* watched()
      const before = source.syncs
      for (let at = 0; at < 50; at++) yield* source.report
      yield* settle(30)
      assert.isAtMost(source.syncs, before + 2)
      assert.isAtLeast(source.syncs, before + 1)
    })
  )

  it.effect(
    "during a sync is pulled by the next one",
    withReporting(function*(source) {
      const { sync, syncs, workspaceId, id } = yield* watched()
      const notes = source.resources.get("notes")!
      notes.set("00001", "It changed.")
      source.faults.set("00001", Effect.sleep("10 seconds"))
      yield* syncs.start(workspaceId, id)
      yield* settle(3)
      assert.strictEqual(source.running, 1)
      source.faults.clear()
      notes.set("00000", "The sync that runs has passed this one.")
      yield* source.report
      const before = source.syncs
      yield* settle(20)
      assert.strictEqual(source.syncs, before + 1)
      assert.deepInclude(yield* sync, { items_ingested: 0 })
    })
  )

  it.effect(
    "does not advance a sync that waits after a failure",
    withReporting(function*(source) {
      const { sync } = yield* watched()
      const busy = new RetryableFailure({ message: "Too many requests.", retry_after_seconds: 1_800 })
      source.faults.set("00000", Effect.fail(busy))
      assert.deepInclude(yield* sync, { status: "failed" })
      const before = source.syncs
      yield* source.report
      yield* TestClock.adjust("25 minutes")
      yield* settle()
      assert.strictEqual(source.syncs, before)
    })
  )
})

describe("a watch", () => {
  it.effect(
    "covers all resources of its connection, including new ones, and syncs only changed ones",
    withReporting(function*(source) {
      fill(source, 2, "letters")
      yield* watched()
      assert.strictEqual(source.watches, 1)
      const before = source.syncs
      yield* source.reportChangeOf("letters")
      yield* source.reportChangeOf("no resource of this connection")
      yield* settle(5)
      assert.strictEqual(source.syncs, before + 1)
      fill(source, 2, "minutes")
      yield* TestClock.adjust("2 hours")
      yield* settle(30)
      assert.strictEqual(source.watches, 1)
      source.emitted.length = 0
      source.resources.get("minutes")!.set("new", "A new one.")
      yield* source.reportChangeOf("minutes")
      yield* settle(5)
      assert.include(source.emitted, "new")
    })
  )

  it.effect(
    "pulls a change of one resource while another one is pulled",
    withReporting(function*(source) {
      fill(source, 2, "letters")
      const { id, syncs, workspaceId } = yield* watched()
      source.faults.set("00002", Effect.sleep("10 minutes"))
      yield* syncs.start(workspaceId, id)
      yield* settle(30)
      assert.strictEqual(source.running, 1)
      source.resources.get("letters")!.set("new", "A new one.")
      yield* source.report
      yield* source.reportChangeOf("letters")
      yield* settle(15)
      assert.include(source.emitted, "new")
      assert.strictEqual(source.running, 1)
    })
  )

  it.effect(
    "restarts after a failure, with increasing delays, and includes changes in between",
    withReporting(function*(source) {
      source.watchFault = Effect.fail(new RetryableFailure({ message: "The connection was cut." }))
      const { workspaceId } = yield* connected()
      yield* settle(1_200)
      assert.strictEqual(source.watches, 0)
      const began = source.watchesBegan.map(({ at }) => at)
      const delays = began.slice(1).map((moment, index) => moment - began[index]!)
      assert.isAtLeast(delays.length, 3)
      assert.isAtLeast(delays[0]!, 20_000)
      assert.isTrue(delays.every((pause, index) => index === 0 || pause > delays[index - 1]! * 1.1), String(delays))
      source.watchFault = Effect.void
      source.resources.get("notes")!.set("new", "Nobody reported it.")
      yield* settle(1_500)
      assert.strictEqual(source.watches, 1)
      assert.strictEqual(yield* documentsOf(workspaceId), 4)
    })
  )

  it.effect(
    "restarts when its source is back within minutes, and otherwise ends",
    withReporting(function*(source) {
      const gone = Effect.fail(new SourceGone({ message: "The folder does not exist." }))
      source.watchFault = gone
      const { workspaceId } = yield* connected()
      yield* settle(10)
      source.watchFault = Effect.void
      source.resources.get("notes")!.set("new", "Nobody reported it.")
      yield* settle(60)
      assert.strictEqual(source.watches, 1)
      assert.strictEqual(yield* documentsOf(workspaceId), 4)
      source.watchFault = gone
      const { length } = source.watchesBegan
      yield* connected()
      yield* settle(500)
      assert.strictEqual(source.watchesBegan.length, length + 4)
    })
  )

  it.effect(
    "sets the connection to error if it is refused, and restarts with correct credentials",
    withReporting(function*(source) {
      source.watchFault = Effect.fail(new CredentialsRefused({ message: "The server refused the password." }))
      const connection = yield* watched()
      const { connections, id, workspaceId } = connection
      assert.deepInclude(yield* connections.find(workspaceId, id), {
        status: "error",
        error: "The server refused the password."
      })
      yield* settle(600)
      assert.strictEqual(source.watchesBegan.length, 1)
      source.watchFault = Effect.void
      yield* followsPassword(source, connection)
    })
  )

  it.effect(
    "ends while its connection is paused, and when it is deleted",
    withReporting(function*(source) {
      const { connections, id, workspace } = yield* watched()
      yield* connections.update(workspace, id, { status: "paused" }, OPERATOR)
      yield* settle(6)
      assert.strictEqual(source.watches, 0)
      yield* connections.update(workspace, id, { status: "active" }, OPERATOR)
      yield* settle(30)
      assert.strictEqual(source.watches, 1)
      yield* connections.delete(workspace, id, false, OPERATOR)
      yield* settle(6)
      assert.strictEqual(source.watches, 0)
      yield* settle(600)
      assert.strictEqual(source.watchesBegan.length, 2)
    })
  )

  it.effect(
    "continues with the new configuration after a change",
    withReporting(function*(source) {
      const connection = yield* watched()
      yield* followsPassword(source, connection)
    })
  )

  it.effect("lasts longer than one job may take", () =>
    Effect.flatMap(reportingSource, (source) => {
      fill(source, 3)
      return Effect.gen(function*() {
        yield* watched()
        yield* leap("13 hours")
        yield* settle(30)
        assert.strictEqual(source.watches, 1)
        assert.isAtLeast(source.watchesBegan.length, 2)
      }).pipe(Effect.provide(service(source)))
    }))

  it.effect("runs on one of two nodes, and on the other after that one ends", () =>
    Effect.gen(function*() {
      const source = yield* reportingSource
      fill(source, 3)
      const ending = yield* Scope.make()
      const first = yield* Layer.buildWithScope(node(source), ending)
      yield* Layer.build(node(source))
      const { workspaceId } = yield* Effect.provideContext(watched(), first)
      assert.strictEqual(source.watches, 1)
      yield* settle(120)
      assert.strictEqual(source.watchesBegan.length, 1)
      yield* Scope.close(ending, yield* Effect.exit(Effect.void))
      yield* settle(10)
      assert.strictEqual(source.watches, 1)
      source.resources.get("notes")!.set("new", "A new one.")
      yield* source.report
      yield* settle(15)
      assert.strictEqual(yield* documentsOf(workspaceId), 4)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Memory.layer))))

  it.effect("ends with its node", () =>
    Effect.gen(function*() {
      const source = yield* reportingSource
      fill(source, 3)
      const ending = yield* Scope.make()
      const first = yield* Layer.buildWithScope(node(source), ending)
      yield* Effect.provideContext(watched(), first)
      assert.strictEqual(source.watches, 1)
      yield* Scope.close(ending, yield* Effect.exit(Effect.void))
      assert.strictEqual(source.watches, 0)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Memory.layer))))
})
