/** The contract of `ConnectorStore`. */
import { assert } from "@effect/vitest"
import { ConnectorId } from "@tributary/core/model/Id"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { Effect, Option } from "effect"
import { anyMetadata, anyText } from "./internal/anyText.ts"
import {
  fiftyTimes,
  freshWorkspace,
  item,
  moment,
  newConnector,
  newJob,
  newQueue,
  newUuid,
  UNCAPPED
} from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

export const connectorStoreContract = (it: Kit): void => {
  it.effect.prop(
    "returns a connector as it was stored and changed",
    [anyText, anyMetadata, anyMetadata],
    ([name, metadata, other]) =>
      Effect.gen(function*() {
        const store = yield* ConnectorStore
        const home = yield* freshWorkspace
        const connector = newConnector({ name, metadata, accepted_kinds: ["page", "a.b-c_d"] })
        assert.strictEqual(yield* store.insert(home, connector, 1), "inserted")
        assert.deepStrictEqual(yield* store.find(home, connector.connector_id), Option.some(connector))
        const changed = { ...connector, name: `${name}!`, metadata: other, accepted_kinds: [], is_active: false }
        const { accepted_kinds, is_active } = changed
        const change = { name: changed.name, metadata: other, accepted_kinds, is_active }
        assert.deepStrictEqual(yield* store.update(home, connector.connector_id, change), Option.some(changed))
        assert.deepStrictEqual(yield* store.find(home, connector.connector_id), Option.some(changed))
      }),
    RUNS
  )

  it.effect("returns names of metadata that look alike as JSON", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const home = yield* freshWorkspace
      for (const name of ["\\", "\"", "\n"]) {
        const connector = newConnector({ metadata: { a: "1", [name]: "2" } })
        yield* store.insert(home, connector, 10)
        assert.deepStrictEqual(yield* store.find(home, connector.connector_id), Option.some(connector))
      }
    }))

  it.effect("keeps omitted fields", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const home = yield* freshWorkspace
      const connector = newConnector({ metadata: { a: "1" }, accepted_kinds: ["page"] })
      const { connector_id } = connector
      yield* store.insert(home, connector, 10)
      assert.deepStrictEqual(yield* store.update(home, connector_id, {}), Option.some(connector))
      yield* store.update(home, connector_id, { is_active: false })
      yield* store.update(home, connector_id, { is_active: false })
      const again = yield* store.update(home, connector_id, { is_active: true, name: "Other" })
      assert.deepStrictEqual(again, Option.some({ ...connector, name: "Other" }))
    }))

  it.effect("queues a deletion with a change, which ends at what is stored by then", () =>
    Effect.gen(function*() {
      const [documents, jobs, store] = [yield* DocumentStore, yield* JobStore, yield* ConnectorStore]
      const home = yield* freshWorkspace
      const { connector_id, source_name, ...connector } = newConnector()
      yield* store.insert(home, { connector_id, source_name, ...connector }, 10)
      const job = newJob(home, newQueue(), { payload: JSON.stringify({ connector_id }) })
      const source = `custom:${source_name}`
      yield* documents.admit(
        home,
        { connector_id, source },
        [item("a", "one"), item("b", "two")],
        { caps: UNCAPPED, now: moment(), follow: newJob(home, newQueue()) }
      )
      yield* store.update(home, ConnectorId.make(newUuid()), { is_active: false }, job)
      assert.isTrue(Option.isNone(yield* jobs.find(home, job.queue, job.job_id)))
      assert.isTrue(Option.isSome(yield* store.update(home, connector_id, { is_active: false }, job)))
      const { payload } = Option.getOrThrow(yield* jobs.find(home, job.queue, job.job_id))
      assert.deepStrictEqual(JSON.parse(payload), { connector_id, until: 2 })
    }))

  it.effect("finds and changes nothing for an unknown id", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const home = yield* freshWorkspace
      const absent = ConnectorId.make(newUuid())
      assert.isTrue(Option.isNone(yield* store.find(home, absent)))
      assert.isTrue(Option.isNone(yield* store.update(home, absent, { name: "x" })))
      assert.deepStrictEqual(yield* store.list(home, true), [])
    }))

  it.effect("hides a connector and its source name from every other workspace", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      const connector = newConnector()
      yield* store.insert(home, connector, 10)
      assert.isTrue(Option.isNone(yield* store.find(stranger, connector.connector_id)))
      assert.isTrue(Option.isNone(yield* store.update(stranger, connector.connector_id, { name: "stolen" })))
      assert.deepStrictEqual(yield* store.list(stranger, true), [])
      assert.deepStrictEqual(yield* store.find(home, connector.connector_id), Option.some(connector))
      const namesake = newConnector({ source_name: connector.source_name })
      assert.strictEqual(yield* store.insert(stranger, namesake, 1), "inserted")
    }))

  it.effect("never reuses a source name, even of an inactive connector", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const home = yield* freshWorkspace
      const connector = newConnector()
      const second = newConnector({ source_name: connector.source_name })
      yield* store.insert(home, connector, 10)
      yield* store.update(home, connector.connector_id, { is_active: false })
      assert.strictEqual(yield* store.insert(home, second, 10), "name_taken")
      assert.isTrue(Option.isNone(yield* store.find(home, second.connector_id)))
    }))

  it.effect("counts inactive connectors against the maximum", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const home = yield* freshWorkspace
      const [first, second] = [newConnector(), newConnector()]
      yield* store.insert(home, first, 1)
      yield* store.update(home, first.connector_id, { is_active: false })
      assert.strictEqual(yield* store.insert(home, second, 1), "full")
      assert.isTrue(Option.isNone(yield* store.find(home, second.connector_id)))
      assert.strictEqual(yield* store.insert(home, second, 2), "inserted")
    }))

  it.effect("lists newest first, ties by descending id, inactive ones on request", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const home = yield* freshWorkspace
      const [a, b] = [newConnector({ created_at: moment(5) }), newConnector({ created_at: moment(5) })]
      const [newest, inactive] = [newConnector({ created_at: moment(9) }), newConnector({ is_active: false })]
      for (const connector of [a, newest, b, inactive]) yield* store.insert(home, connector, 10)
      assert.deepStrictEqual(yield* store.list(home, true), [newest, b, a, inactive])
      assert.deepStrictEqual(yield* store.list(home, false), [newest, b, a])
    }))

  it.effect("gives a source name to one of fifty concurrent requests", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const home = yield* freshWorkspace
      const answers = yield* fiftyTimes(() => store.insert(home, newConnector({ source_name: "wanted" }), 100))
      assert.deepStrictEqual(answers.filter((answer) => answer !== "name_taken"), ["inserted"])
      assert.strictEqual((yield* store.list(home, true)).length, 1)
    }))

  it.effect("fills the maximum exactly with fifty concurrent requests", () =>
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const home = yield* freshWorkspace
      const answers = yield* fiftyTimes(() => store.insert(home, newConnector(), 7))
      assert.strictEqual(answers.filter((answer) => answer === "inserted").length, 7)
      assert.strictEqual(answers.filter((answer) => answer === "full").length, 43)
      assert.strictEqual((yield* store.list(home, true)).length, 7)
    }))
}
