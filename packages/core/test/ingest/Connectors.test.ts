import { assert, describe, it } from "@effect/vitest"
import { Connectors } from "@tributary/core/Connectors"
import { MAX_CONNECTOR_METADATA, MAX_CONNECTORS } from "@tributary/core/model/Connector"
import { OPERATOR } from "@tributary/core/model/Principal"
import { JobStore } from "@tributary/core/ports/JobStore"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { connected, services, workspaceWith } from "../support/services.ts"

const absentIds = (id: string) => ["", "nonsense", `${id}0`, "\u0000", "00000000-0000-7000-8000-000000000000"]

describe("a connector", () => {
  it.effect("is created active, with its creator and time", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_700_000_000_000)
      const workspace = yield* workspaceWith()
      const connectors = yield* Connectors
      const by = { type: "api_key", id: "k" } as const
      const connector = yield* connectors.create(workspace, {
        name: "Team notes",
        source_name: "team-notes",
        accepted_kinds: ["page", "email", "page"],
        metadata: { team: "ops" }
      }, by)
      assert.deepStrictEqual(connector, {
        connector_id: connector.connector_id,
        name: "Team notes",
        source_name: "team-notes",
        created_at: new Date(1_700_000_000_000),
        created_by: by,
        is_active: true,
        accepted_kinds: ["page", "email"],
        metadata: { team: "ops" }
      })
      assert.deepStrictEqual(
        yield* connectors.find(workspace.workspace_id, connector.connector_id.toUpperCase()),
        connector
      )
    }).pipe(Effect.provide(services)))

  it.effect("accepts every kind and has no metadata by default", () =>
    Effect.gen(function*() {
      const { connector } = yield* connected()
      assert.deepStrictEqual([connector.accepted_kinds, connector.metadata], [[], {}])
    }).pipe(Effect.provide(services)))

  it.effect("reserves its source name forever", () =>
    Effect.gen(function*() {
      const { source, workspace } = yield* connected()
      const connectors = yield* Connectors
      yield* connectors.deactivate(workspace, source, false, OPERATOR)
      const error = yield* Effect.flip(connectors.create(workspace, { name: "Other", source_name: "notes" }, OPERATOR))
      assert.strictEqual(error._tag, "unprocessable_entity")
      assert.include(error.message, "'notes'")
      const other = yield* workspaceWith()
      yield* connectors.create(other, { name: "Other", source_name: "notes" }, OPERATOR)
    }).pipe(Effect.provide(services)))

  it.effect("is refused if the workspace has the maximum, including deactivated ones", () =>
    Effect.gen(function*() {
      const { source, workspace } = yield* connected()
      const connectors = yield* Connectors
      yield* connectors.deactivate(workspace, source, false, OPERATOR)
      yield* Effect.forEach(
        Array.from({ length: MAX_CONNECTORS - 1 }, (_, n) => n),
        (n) => connectors.create(workspace, { name: "N", source_name: `s${n}` }, OPERATOR)
      )
      const error = yield* Effect.flip(connectors.create(workspace, { name: "N", source_name: "one-more" }, OPERATOR))
      assert.strictEqual(error._tag, "unprocessable_entity")
      assert.include(error.message, "1000")
    }).pipe(Effect.provide(services)))

  it.effect("is refused if the metadata of all has the maximum, and may only shrink then", () =>
    Effect.gen(function*() {
      const workspace = yield* workspaceWith()
      const connectors = yield* Connectors
      const metadata = (values: number) =>
        Object.fromEntries(Array.from({ length: values }, (_, at) => [`${at}`.padStart(2, "0"), "x".repeat(1_998)]))
      const create = (n: number, values: number) =>
        connectors.create(workspace, { name: "N", source_name: `s${n}`, metadata: metadata(values) }, OPERATOR)
      for (let n = 0; n < MAX_CONNECTOR_METADATA / 100_000 - 1; n++) yield* create(n, 50)
      const { connector_id } = yield* create(100, 49)
      const update = (values: number) =>
        connectors.update(workspace, connector_id, { metadata: metadata(values) }, OPERATOR)
      yield* update(50)
      const error = yield* Effect.flip(create(101, 1))
      assert.strictEqual(error._tag, "unprocessable_entity")
      assert.include(error.message, "4000000")
      yield* create(102, 0)
      yield* update(50)
      yield* update(48)
      assert.strictEqual((yield* Effect.flip(update(51)))._tag, "unprocessable_entity")
      yield* create(103, 2)
    }).pipe(Effect.provide(services)))

  it.effect("is listed newest first, and a deactivated one only on request", () =>
    Effect.gen(function*() {
      const { id, source, workspace } = yield* connected()
      const connectors = yield* Connectors
      const second = yield* connectors.create(workspace, { name: "B", source_name: "b" }, OPERATOR)
      yield* TestClock.adjust("1 minute")
      const third = yield* connectors.create(workspace, { name: "C", source_name: "c" }, OPERATOR)
      yield* connectors.deactivate(workspace, second.connector_id, false, OPERATOR)
      const ids = (all: boolean) =>
        Effect.map(connectors.list(id, all), (list) => list.map(({ connector_id }) => connector_id))
      assert.deepStrictEqual(yield* ids(false), [third.connector_id, source])
      assert.deepStrictEqual(yield* ids(true), [third.connector_id, second.connector_id, source])
    }).pipe(Effect.provide(services)))

  it.effect("is not found under any text that is not its id in this workspace", () =>
    Effect.gen(function*() {
      const { id, source, workspace } = yield* connected()
      const stranger = yield* workspaceWith()
      const connectors = yield* Connectors
      for (
        const [of, connectorId] of [
          [stranger, source],
          ...absentIds(source).map((text) => [workspace, text])
        ] as Array<[typeof workspace, string]>
      ) {
        for (
          const failed of [
            yield* Effect.flip(connectors.find(of.workspace_id, connectorId)),
            yield* Effect.flip(connectors.update(of, connectorId, { name: "stolen" }, OPERATOR)),
            yield* Effect.flip(connectors.deactivate(of, connectorId, true, OPERATOR))
          ]
        ) assert.strictEqual(failed._tag, "client_not_found", connectorId)
      }
      assert.strictEqual((yield* connectors.find(id, source)).name, "Notes")
    }).pipe(Effect.provide(services)))
})

describe("a change of a connector", () => {
  it.effect("replaces the given fields and keeps those omitted or null", () =>
    Effect.gen(function*() {
      const { id, source, connector, workspace } = yield* connected({ kinds: ["page"], metadata: { a: "1", b: "2" } })
      const connectors = yield* Connectors
      assert.deepStrictEqual(yield* connectors.update(workspace, source, {}, OPERATOR), connector)
      assert.deepStrictEqual(
        yield* connectors.update(workspace, source, {
          name: null,
          accepted_kinds: null,
          metadata: null,
          is_active: null,
          source_name: null
        }, OPERATOR),
        connector
      )
      const changed = yield* connectors.update(workspace, source, {
        name: "New",
        accepted_kinds: ["b", "a", "b"],
        metadata: { c: "3" }
      }, OPERATOR)
      assert.deepStrictEqual(changed, { ...connector, name: "New", accepted_kinds: ["b", "a"], metadata: { c: "3" } })
      assert.deepStrictEqual(
        (yield* connectors.update(workspace, source, { accepted_kinds: [], metadata: {} }, OPERATOR)).accepted_kinds,
        []
      )
      assert.deepStrictEqual((yield* connectors.find(id, source)).metadata, {})
    }).pipe(Effect.provide(services)))

  it.effect("accepts only the unchanged source name", () =>
    Effect.gen(function*() {
      const { id, source, connector, workspace } = yield* connected()
      const connectors = yield* Connectors
      const error = yield* Effect.flip(
        connectors.update(workspace, source, { name: "New", source_name: "other" }, OPERATOR)
      )
      assert.deepInclude(error, { type: "frozen_field", field: "source_name", input: "other" })
      assert.deepStrictEqual(yield* connectors.find(id, source), connector)
      assert.strictEqual(
        (yield* connectors.update(workspace, source, { name: "New", source_name: "notes" }, OPERATOR)).name,
        "New"
      )
    }).pipe(Effect.provide(services)))

  it.effect("deactivates and reactivates, also while deactivated", () =>
    Effect.gen(function*() {
      const { source, workspace } = yield* connected()
      const connectors = yield* Connectors
      assert.isFalse((yield* connectors.update(workspace, source, { is_active: false }, OPERATOR)).is_active)
      assert.deepInclude(yield* connectors.update(workspace, source, { name: "Asleep" }, OPERATOR), {
        name: "Asleep",
        is_active: false
      })
      assert.isTrue((yield* connectors.update(workspace, source, { is_active: true }, OPERATOR)).is_active)
    }).pipe(Effect.provide(services)))
})

describe("deactivating a connector", () => {
  it.effect("returns the same twice", () =>
    Effect.gen(function*() {
      const { source, connector, workspace } = yield* connected()
      const connectors = yield* Connectors
      const first = yield* connectors.deactivate(workspace, source, false, OPERATOR)
      assert.deepStrictEqual(first, { ...connector, is_active: false })
      assert.deepStrictEqual(yield* connectors.deactivate(workspace, source, false, OPERATOR), first)
    }).pipe(Effect.provide(services)))

  it.effect("leaves the deletion of its documents to a job", () =>
    Effect.gen(function*() {
      const { id, source, workspace } = yield* connected()
      const connectors = yield* Connectors
      const jobs = yield* JobStore
      const waiting = Effect.map(
        jobs.list(id, "maintenance", { status: null, after: null, limit: 10 }),
        (list) => list.map(({ payload }) => JSON.parse(payload))
      )
      yield* connectors.deactivate(workspace, source, false, OPERATOR)
      assert.deepStrictEqual(yield* waiting, [])
      yield* connectors.deactivate(workspace, source, true, OPERATOR)
      yield* connectors.deactivate(workspace, source, true, OPERATOR)
      assert.deepStrictEqual(yield* waiting, [{ type: "delete_documents", connector_id: source, until: 0 }])
    }).pipe(Effect.provide(services)))
})
