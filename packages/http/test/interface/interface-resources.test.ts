// interface.md, "Resources and their fields" and "States and transitions": a test for every row.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { connected, type Json } from "../support/connected.ts"
import { section } from "../support/interface.ts"
import { type Answer, code, field, UUID, wire } from "../support/wire.ts"

const SETTINGS = "/v1/knowledge/settings"
const YEAR = { type: "relative", days: 365 }

/** The status of a change to a range, and where and how its form is wrong. */
const changed = (range: unknown) =>
  Effect.gen(function*() {
    const { send } = yield* wire()
    const answer = yield* send("PATCH", SETTINGS, { body: { temporal_settings: range } })
    const problems = field<ReadonlyArray<{ readonly loc: ReadonlyArray<unknown>; readonly type: string }> | undefined>(
      answer,
      "detail"
    )
    return [answer.status, ...(problems ?? []).map(({ loc, type }) => `${loc.slice(2).join(".")} ${type}`)]
  })

const startOf = (start: unknown) => changed({ start, end: null })

section("Knowledge settings", {
  temporal_settings: ["is all that there is, and always there", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      assert.deepStrictEqual(Object.keys((yield* send("GET", SETTINGS)).body as Json), ["temporal_settings"])
    })]
})

const bound = (side: "start" | "end") => () =>
  Effect.gen(function*() {
    const other = side === "start" ? "end" : "start"
    for (const value of [null, { type: "relative", days: 1 }, { type: "date", date: "2020-02-29" }]) {
      const { send } = yield* wire()
      const range = { start: null, end: null, [side]: value }
      const answer = yield* send("PATCH", SETTINGS, { body: { temporal_settings: range } })
      assert.deepStrictEqual([answer.status, answer.body], [200, { temporal_settings: range }])
    }
    assert.deepStrictEqual(yield* changed({ [other]: null }), [422, `${side} missing`])
  })

section("KnowledgeTemporalSettings", {
  start: ["a bound or null, and never absent", bound("start")],
  end: ["a bound or null, and never absent", bound("end")],
  "no other fields": ["are allowed", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* changed({ start: null, end: null, middle: null }), [422, "middle extra_forbidden"])
    })],
  "default range": ["one year back and one year ahead", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      assert.deepStrictEqual((yield* send("GET", SETTINGS)).body, { temporal_settings: { start: YEAR, end: YEAR } })
    })],
  discriminator: ["`type` distinguishes the kinds of bounds", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* startOf({ days: 5 }), [422, "start union_tag_not_found"])
      assert.deepStrictEqual(yield* startOf({ type: "absolute", days: 5 }), [422, "start union_tag_invalid"])
      assert.deepStrictEqual(yield* startOf({ type: "date", days: 5 }), [
        422,
        "start.date.date missing",
        "start.date.days extra_forbidden"
      ])
    })]
})

section("RelativeBound", {
  type: ["is `relative`", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* startOf({ type: "Relative", days: 1 }), [422, "start union_tag_invalid"])
    })],
  days: ["an integer from 1 to 36500", () =>
    Effect.gen(function*() {
      const days = (days: unknown) => startOf({ type: "relative", days })
      assert.deepStrictEqual([yield* days(1), yield* days(36_500)], [[200], [200]])
      assert.deepStrictEqual(yield* days(0), [422, "start.relative.days greater_than_equal"])
      assert.deepStrictEqual(yield* days(36_501), [422, "start.relative.days less_than_equal"])
      assert.deepStrictEqual(yield* days(1.5), [422, "start.relative.days int_from_float"])
      assert.deepStrictEqual(yield* days("1"), [422, "start.relative.days int_type"])
    })],
  "no other fields": ["are allowed", () =>
    Effect.gen(function*() {
      const range = { type: "relative", days: 1, date: "2025-01-01" }
      assert.deepStrictEqual(yield* startOf(range), [422, "start.relative.date extra_forbidden"])
    })]
})

section("DateBound", {
  type: ["is `date`", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* startOf({ type: null, date: "2025-01-01" }), [422, "start union_tag_invalid"])
    })],
  date: ["a day of the calendar", () =>
    Effect.gen(function*() {
      const date = (date: unknown) => startOf({ type: "date", date })
      assert.deepStrictEqual([yield* date("2024-02-29"), yield* date("0001-01-01")], [[200], [200]])
      for (const wrong of ["2025-02-29", "2025-02-01T00:00:00Z", "20250201", ""]) {
        assert.deepStrictEqual(yield* date(wrong), [422, "start.date.date date_parsing"], wrong)
      }
      assert.deepStrictEqual(yield* date(20_250_201), [422, "start.date.date date_type"])
    })],
  "no other fields": ["are allowed", () =>
    Effect.gen(function*() {
      const range = { type: "date", date: "2025-01-01", days: 1 }
      assert.deepStrictEqual(yield* startOf(range), [422, "start.date.days extra_forbidden"])
    })]
})

const eventsOf = (answer: Answer) => field<ReadonlyArray<Json>>(answer, "events")

section("Custom connector", {
  connector_id: ["has the shape of a UUID", () =>
    Effect.gen(function*() {
      const { created } = yield* connected()
      assert.match(field(created, "connector_id"), UUID)
    })],
  name: ["is mutable", () =>
    Effect.gen(function*() {
      const { at } = yield* connected({ name: "Before" })
      assert.strictEqual(field(yield* at("GET", ""), "name"), "Before")
      assert.strictEqual(field(yield* at("PATCH", "", { body: { name: "After" } }), "name"), "After")
    })],
  source_name: ["is a slug that never changes, and is part of the source of events", () =>
    Effect.gen(function*() {
      const { at, ingest, send } = yield* connected({ source_name: "field-notes_2" })
      assert.strictEqual((yield* at("PATCH", "", { body: { source_name: "other" } })).status, 422)
      yield* ingest([{ text: "x" }])
      const [event] = eventsOf(yield* send("GET", "/v1/runtime/events"))
      assert.strictEqual(event?.["source"], "custom:field-notes_2")
      const body = { name: "n", source_name: "Not a slug" }
      assert.strictEqual((yield* send("POST", "/v1/custom-connectors", { body })).status, 422)
    })],
  created_at: ["is an ISO 8601 moment", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2026-05-05T10:00:00.007Z"))
      assert.strictEqual(field((yield* connected()).created, "created_at"), "2026-05-05T10:00:00.007Z")
    })],
  created_by: ["is the principal: here the key, by its id", () =>
    Effect.gen(function*() {
      const { created, key } = yield* connected()
      assert.deepStrictEqual(field(created, "created_by"), { type: "api_key", id: key.key_id })
      assert.match(key.key_id, UUID)
    })],
  is_active: ["is false once the connector has been deactivated", () =>
    Effect.gen(function*() {
      const { at, created } = yield* connected()
      assert.strictEqual(field(created, "is_active"), true)
      yield* at("DELETE", "")
      assert.strictEqual(field(yield* at("GET", ""), "is_active"), false)
    })],
  accepted_kinds: ["lists the kinds that are taken; empty means all", () =>
    Effect.gen(function*() {
      const { at, created } = yield* connected()
      assert.deepStrictEqual(field(created, "accepted_kinds"), [])
      const push = (kind: string) =>
        at("POST", "/ingest/typed", {
          body: { items: [{ external_id: kind, timestamp: "2026-01-01T00:00:00Z", payload: { kind } }] }
        })
      assert.strictEqual((yield* push("email")).status, 200)
      yield* at("PATCH", "", { body: { accepted_kinds: ["page"] } })
      assert.deepStrictEqual([(yield* push("page")).status, (yield* push("issue")).status], [200, 400])
    })],
  metadata: ["is applied to every event; what an item brings along wins", () =>
    Effect.gen(function*() {
      const { ingest, send } = yield* connected({ metadata: { team: "core", region: "north" } })
      yield* ingest([{ text: "x", metadata: { team: "edge" } }])
      const [event] = eventsOf(yield* send("GET", "/v1/runtime/events"))
      assert.deepStrictEqual({ ...event?.["metadata"] as Json }, { team: "edge", region: "north" })
      const body = { name: "n", source_name: "n", metadata: { team: 1 } }
      assert.strictEqual((yield* send("POST", "/v1/custom-connectors", { body })).status, 422)
    })]
})

section("Deactivation result", {
  status: ["is `deactivated`", () =>
    Effect.gen(function*() {
      const { at } = yield* connected()
      assert.strictEqual(field(yield* at("DELETE", ""), "status"), "deactivated")
    })],
  connector_id: ["is the connector's", () =>
    Effect.gen(function*() {
      const { at, created } = yield* connected()
      assert.strictEqual(field(yield* at("DELETE", ""), "connector_id"), field(created, "connector_id"))
    })]
})

const answeredJob = Effect.gen(function*() {
  const service = yield* connected()
  yield* service.ingest([{ text: "The gryphon guards the northern gate." }])
  const body = { query: "Who guards the gate?", async: true }
  const job = field<string>(yield* service.send("POST", "/v1/knowledge/ask", { body }), "job_id")
  yield* TestClock.adjust("10 seconds")
  return { ...service, job }
})

section("Ask job", {
  list: ["carries no answers", () =>
    Effect.gen(function*() {
      const { job, send } = yield* answeredJob
      const [entry] = field<ReadonlyArray<Json>>(yield* send("GET", "/v1/knowledge/ask/jobs"), "jobs")
      assert.deepInclude(entry, { job_id: job, status: "succeeded" })
      assert.notProperty(entry, "result")
      assert.notInclude(JSON.stringify(entry), "gryphon")
    })],
  individual: ["has the full answer", () =>
    Effect.gen(function*() {
      const { job, send } = yield* answeredJob
      const answer = field<Json>(yield* send("GET", `/v1/knowledge/ask/jobs/${job}`), "result")
      assert.include(answer["response"], "gryphon")
      assert.isNotEmpty(answer["citations"])
    })]
})

section("Knowledge status", {
  up_to_date: ["is true or false", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      assert.strictEqual(field(yield* send("GET", "/v1/knowledge/status"), "up_to_date"), true)
    })]
})

/** The entitlements of a workspace with caps, after it has stored texts of these lengths. */
const entitlements = (limits: Json, lengths: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const { ingest, limit, send } = yield* connected()
    yield* ingest(lengths.map((length, index) => ({ external_id: `${index}`, text: "x".repeat(length) })))
    yield* limit(limits)
    return field<Readonly<Record<string, Json>>>(yield* send("GET", "/v1/usage/current"), "entitlements")
  })

section("Usage entitlements", {
  tier: ["is the plan's name", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* entitlements({}, []))["tier"] as unknown, "free")
    })],
  documents: ["meters their count", () =>
    Effect.gen(function*() {
      assert.deepInclude((yield* entitlements({}, [1, 2, 3]))["documents"], { used: 3, limit: 10_000 })
    })],
  storage: ["meters their bytes", () =>
    Effect.gen(function*() {
      assert.deepInclude((yield* entitlements({}, [1, 2, 3]))["storage"], { used: 6, limit: 500_000_000 })
    })]
})

const meter = (used: number, limit: number | null) =>
  Effect.map(entitlements({ documents: limit }, Array<number>(used).fill(1)), ({ documents }) => documents!)

section("Meter", {
  used: ["is what is used", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* meter(2, 4))["used"], 2)
    })],
  limit: ["is the cap, and absent where there is none", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* meter(2, 4))["limit"], 4)
      assert.notProperty(yield* meter(2, null), "limit")
    })],
  fraction_used: ["is used divided by limit", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* meter(1, 4))["fraction_used"], 0.25)
    })],
  state: ["is one of three words", () =>
    Effect.gen(function*() {
      assert.include(["ok", "approaching", "exceeded"], (yield* meter(1, 4))["state"])
    })]
})

section("Usage meter state", {
  ok: ["below 80 %", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* meter(7, 10))["state"], "ok")
    })],
  approaching: ["at 80 % and up to the cap", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual([(yield* meter(8, 10))["state"], (yield* meter(10, 10))["state"]], [
        "approaching",
        "approaching"
      ])
    })],
  exceeded: ["over the cap", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* meter(11, 10))["state"], "exceeded")
    })]
})

/** Two items for a workspace that has room for one. */
const partly = Effect.gen(function*() {
  const { ingest, limit } = yield* connected()
  yield* limit({ documents: 1 })
  return yield* ingest([{ external_id: "a", text: "1" }, { external_id: "b", text: "2" }])
})

section("Ingest result", {
  status: ["is `accepted`", () =>
    Effect.gen(function*() {
      assert.strictEqual(field(yield* partly, "status"), "accepted")
    })],
  events: ["counts what was ingested", () =>
    Effect.gen(function*() {
      assert.strictEqual(field(yield* partly, "events"), 1)
    })],
  external_ids: ["are those of the ingested items", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(field(yield* partly, "external_ids"), ["a"])
    })],
  rejected: ["lists the items that did not fit, and is empty when all did", () =>
    Effect.gen(function*() {
      assert.lengthOf(field<ReadonlyArray<Json>>(yield* partly, "rejected"), 1)
      const { ingest } = yield* connected()
      assert.deepStrictEqual(field(yield* ingest([{ text: "1" }]), "rejected"), [])
    })]
})

const rejected = (limits: Json) =>
  Effect.gen(function*() {
    const { ingest, limit } = yield* connected()
    yield* limit(limits)
    const answer = yield* ingest([{ external_id: "ä / 7", text: "12345" }])
    assert.deepStrictEqual([answer.status, code(answer)], [402, "quota_exceeded"])
    const [item] = field<{ readonly rejected: ReadonlyArray<Json> }>(answer, "details").rejected
    return item!
  })

section("Rejected item", {
  external_id: ["is the client's", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* rejected({ documents: 0 }))["external_id"], "ä / 7")
    })],
  resource: ["is the cap that was hit", () =>
    Effect.gen(function*() {
      for (const resource of ["documents", "storage", "doc_size"]) {
        assert.strictEqual((yield* rejected({ [resource]: 0 }))["resource"], resource)
      }
    })],
  reason: ["is `quota_exceeded`", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* rejected({ documents: 0 }))["reason"], "quota_exceeded")
    })]
})

section("Custom connector states", {
  "active to deactivated": ["its documents stay, and it takes no more", () =>
    Effect.gen(function*() {
      const { at, ingest } = yield* connected()
      yield* ingest([{ external_id: "a", text: "kept" }])
      assert.strictEqual((yield* at("DELETE", "")).status, 200)
      assert.strictEqual(field(yield* at("GET", "/documents/a"), "text"), "kept")
      const refused = yield* ingest([{ external_id: "b", text: "late" }])
      assert.deepStrictEqual([refused.status, code(refused)], [400, "bad_request"])
      assert.strictEqual((yield* at("GET", "/documents/b")).status, 404)
    })]
})

const upToDate = (send: Effect.Success<ReturnType<typeof wire>>["send"]) =>
  Effect.map(send("GET", "/v1/knowledge/status"), (answer) => field<boolean>(answer, "up_to_date"))

section("Knowledge context states", {
  "any to rebuilding": ["a range starts a rebuild at once, also during another one", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ held: true })
      for (let time = 0; time < 2; time++) {
        yield* send("PATCH", SETTINGS, { body: { temporal_settings: { start: null, end: null } } })
        assert.isFalse(yield* upToDate(send))
        assert.strictEqual(field(yield* send("GET", "/v1/knowledge/status"), "state"), "rebuilding")
      }
    })],
  "rebuilding to up to date": ["once the rebuild has finished", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      yield* send("PATCH", SETTINGS, { body: { temporal_settings: { start: null, end: null } } })
      yield* TestClock.adjust("10 seconds")
      assert.isTrue(yield* upToDate(send))
    })],
  "any to unchanged": ["a change without a range starts nothing", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ held: true })
      assert.strictEqual((yield* send("PATCH", SETTINGS, { body: {} })).status, 200)
      assert.isTrue(yield* upToDate(send))
    })]
})
