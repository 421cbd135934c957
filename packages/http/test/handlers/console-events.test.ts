// One stream of the console for several workspaces (docs/people.md "The console's interface").
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { COOKIE, OF_CONSOLE } from "../support/console.ts"
import type { Heard } from "../support/heard.ts"
import { team } from "../support/team.ts"
import { code, field } from "../support/wire.ts"

const PATH = "/console/api/workspaces/events"

const following = Effect.gen(function*() {
  const service = yield* team
  const { listen, newKey, send } = service

  /** Adds documents to a workspace, by a key of its own. */
  const writer = Effect.fnUntraced(function*(workspaceId: string) {
    const { secret: key } = yield* newKey(["custom_connectors:write", "custom_connectors:ingest"], workspaceId)
    const connector = yield* send("POST", "/v1/custom-connectors", { key, body: { name: "N", source_name: "n" } })
    const path = `/v1/custom-connectors/${field<string>(connector, "connector_id")}/ingest/text`
    return (external_id: string) => send("POST", path, { key, body: { items: [{ external_id, text: "x" }] } })
  })

  const follow = (browser: { readonly secret: string }, ...workspaces: ReadonlyArray<readonly [string, number?]>) =>
    listen("POST", PATH, {
      key: null,
      headers: { ...OF_CONSOLE, cookie: `${COOKIE}=${browser.secret}` },
      body: { workspaces: workspaces.map(([workspace_id, after = null]) => ({ workspace_id, after })) }
    })
  return { ...service, writer, follow }
})

interface Change {
  readonly workspace_id: string
  readonly number: number
  readonly event: { readonly external_id: string }
}

const changes = (events: ReadonlyArray<Heard>) =>
  events.map(({ data, name }) => {
    const { event, number, workspace_id } = data as Change
    return [name, workspace_id, number, event.external_id]
  })

describe("The console's stream of events", () => {
  it.effect("has the events of several workspaces, each from its own place", () =>
    Effect.gen(function*() {
      const { blue, follow, owner, red, writer } = yield* following
      const [toRed, toBlue] = [yield* writer(red), yield* writer(blue)]
      for (const name of ["r1", "r2"]) yield* toRed(name)
      yield* toBlue("b1")
      const stream = yield* follow(owner, [red, 1], [blue])
      yield* toBlue("b2")
      yield* toRed("r3")
      yield* TestClock.adjust("1 second")
      assert.sameDeepMembers(changes(yield* stream.events), [
        ["change", red, 2, "r2"],
        ["change", red, 3, "r3"],
        ["change", blue, 2, "b2"]
      ])
    }))

  it.effect("leaves out workspaces of others, and is refused without any other", () =>
    Effect.gen(function*() {
      const { blue, follow, personal, red, redMember, writer } = yield* following
      const [toRed, toBlue] = [yield* writer(red), yield* writer(blue)]
      const stream = yield* follow(redMember, [red], [blue, 0], [personal, 0], ["x", 0])
      yield* toBlue("b1")
      yield* toRed("r1")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(changes(yield* stream.events), [["change", red, 1, "r1"]])
      const refused = yield* redMember.visit("POST", PATH, {
        headers: { accept: "text/event-stream" },
        body: { workspaces: [{ workspace_id: blue, after: null }] }
      })
      assert.deepStrictEqual([refused.status, code(refused)], [403, "permission_denied"])
    }))

  it.effect("ends when one of its workspaces may no longer be read, or the session has ended", () =>
    Effect.gen(function*() {
      const { blue, follow, operate, owner, red } = yield* following
      const ended = Effect.fnUntraced(function*(
        stream: Effect.Success<ReturnType<typeof follow>>,
        end: Effect.Effect<unknown>,
        error: string
      ) {
        yield* TestClock.adjust("30 seconds")
        assert.isFalse(yield* stream.ended)
        yield* end
        yield* TestClock.adjust("15 seconds")
        assert.isTrue(yield* stream.ended)
        const codes = (yield* stream.events).map(({ data }) => (data as { readonly error_code: string }).error_code)
        assert.deepStrictEqual(codes, [error])
      })
      const suspended = operate("PATCH", `/workspaces/${red}`, { body: { suspended: true } })
      yield* ended(yield* follow(owner, [blue], [red]), suspended, "permission_denied")
      yield* operate("PATCH", `/workspaces/${red}`, { body: { suspended: false } })
      yield* ended(yield* follow(owner, [red]), owner.api("POST", "/sign-out"), "authentication_error")
    }))

  it.effect("is one of at most 32 of a person, of up to 20 workspaces, and is only streamed", () =>
    Effect.gen(function*() {
      const { follow, owner, red, redMember } = yield* following
      const streams = yield* Effect.replicateEffect(follow(owner, [red]), 33)
      assert.deepStrictEqual(streams.map(({ status }) => status), [...Array(32).fill(200), 429])
      assert.strictEqual((yield* follow(redMember, [red])).status, 200)
      const many = Array.from({ length: 21 }, () => [red] as const)
      const refused = [yield* follow(redMember), yield* follow(redMember, ...many)]
      assert.deepStrictEqual(refused.map(({ status }) => status), [422, 422])
      const body = { workspaces: [{ workspace_id: red, after: null }] }
      const plain = yield* redMember.visit("POST", PATH, { body })
      assert.deepStrictEqual([plain.status, field<ReadonlyArray<{ readonly loc: unknown }>>(plain, "detail")[0]?.loc], [
        422,
        ["header", "accept"]
      ])
    }))
})
