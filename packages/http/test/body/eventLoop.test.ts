/**
 * No operation blocks the event loop for long, neither with the largest body that it accepts nor with the worst that it
 * refuses. The tests measure processor time of the thread between two turns of the event loop, which other work of the
 * machine does not affect.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { BodyLimit, ITEMS } from "../../src/api/BodyLimit.ts"
import { LARGE } from "../../src/body/RequestBytes.ts"
import { LARGEST, largestOf, worstOf } from "../support/bodies.ts"
import { CONSOLE } from "../support/console.ts"
import { FORM_TYPE, formText, OPERATED, PUBLIC } from "../support/operations.ts"
import { team } from "../support/team.ts"
import { threadMillis } from "../support/threadMillis.ts"
import { ADMIN_TOKEN, BASE_URL, field, wire } from "../support/wire.ts"

/** One copy of the largest body, in milliseconds: some steps are one, and memory may be slow. */
const copying = (): number => {
  const bytes = Buffer.alloc(ITEMS, "a")
  const before = threadMillis()
  bytes.toString("latin1")
  return threadMillis() - before
}

/** Milliseconds of processor time. */
const MAX_TURN = Math.max(250, 8 * Math.max(copying(), copying()))

const AT_ONCE = extent(2, 4)

/** Bytes of what is refused. */
const WORST = extent(1_048_576, Infinity)

/** The number of bodies of an operation that accepts large ones. */
const BODIES = extent(1, Infinity)

/** The longest time between two turns of the event loop while something runs. */
const longestTurn = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    let longest = 0
    let before = threadMillis()
    let runs = true
    const turn = () => {
      const now = threadMillis()
      longest = Math.max(longest, now - before)
      before = now
      if (runs) setImmediate(turn)
    }
    yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
    before = threadMillis()
    setImmediate(turn)
    const result = yield* work
    yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
    runs = false
    return { longest, result }
  })

/** A body as a network delivers it: a part at a time. */
const arriving = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  let at = 0
  return new ReadableStream({
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at += 65_536))
      else controller.close()
    }
  })
}

const operations = [...PUBLIC, ...OPERATED].filter(({ takesBody }) => takesBody)

const namesOf = (some: typeof operations): ReadonlySet<string> => new Set(some.map(({ name }) => name))

/** One for each way in which a body is read. */
const TRIED = extent(new Set(["createConnection", "search", "ingestJson", "ingestFile"]), namesOf(operations))

/** Operations that several workspaces use at once: JSON, and a form. */
const AT_ONCE_BY = extent(new Set(["ingestJson"]), namesOf(operations))

describe("The event loop", () => {
  it("is tested with the largest body of every operation that accepts a large one", () => {
    const large = operations.filter(({ bodyLimit }) => bodyLimit > LARGE).map(({ name }) => name)
    assert.deepStrictEqual(Object.keys(LARGEST).sort(), large.sort())
    assert.isBelow(BodyLimit.defaultValue(), LARGE)
  })

  for (const operation of operations.filter(({ bodyLimit, name }) => bodyLimit >= ITEMS && AT_ONCE_BY.has(name))) {
    const { method, name, path, takesForm } = operation
    it.live(
      `keeps turning while ${name} gets its largest body from ${AT_ONCE} workspaces concurrently`,
      () =>
        Effect.gen(function*() {
          const raw = new TextEncoder().encode(largestOf(operation)[0]!)
          const headers = {
            "content-type": takesForm ? FORM_TYPE : "application/json",
            "content-length": `${raw.length}`
          }
          const senders = yield* Effect.forEach(Array.from({ length: AT_ONCE }), () =>
            Effect.gen(function*() {
              const { handle, key, send } = yield* wire({ tier: "pro", held: true })
              const created = yield* send("POST", "/v1/custom-connectors", {
                body: { name: "n", source_name: "notes" }
              })
              const target = path.replaceAll(/:[a-z_]+/g, field<string>(created, "connector_id"))
              const authorization = `Bearer ${key.secret}`
              return Effect.suspend(() =>
                handle(
                  new Request(BASE_URL + target, {
                    method,
                    headers: { ...headers, authorization },
                    body: arriving(raw),
                    // Required with a stream.
                    duplex: "half"
                  } as RequestInit)
                )
              )
            }))
          const { longest, result } = yield* longestTurn(Effect.all(senders, { concurrency: "unbounded" }))
          assert.deepStrictEqual(result.map(({ status }) => status), senders.map(() => 200))
          assert.isBelow(longest, MAX_TURN)
        }).pipe(Effect.scoped),
      600_000
    )
  }

  for (const operation of operations.filter(({ name }) => TRIED.has(name))) {
    const { bodyLimit, method, name, operated, path, takesForm } = operation
    it.live(
      `keeps turning while ${name} gets its largest and the worst bodies`,
      () =>
        Effect.gen(function*() {
          const sent = (raw: string) => ({
            raw,
            headers: {
              "content-type": takesForm ? FORM_TYPE : "application/json",
              "content-length": `${Buffer.byteLength(raw)}`
            },
            ...(operated ? { key: ADMIN_TOKEN } : {})
          })
          const worst = Object.entries(worstOf(Math.min(bodyLimit, WORST))).map((
            [kind, body]
          ) => [kind, takesForm ? formText({ payload: body }, "x") : body] as const)
          const bodies = [
            ...largestOf(operation).slice(0, BODIES).map((body, index) => [`the largest, ${index}`, body] as const),
            ...worst
          ]
          for (const [kind, body] of bodies) {
            // A service for each: what one is refused for the next one would pay for.
            const { send, workspace } = yield* wire({ tier: "pro", held: true })
            const connector = yield* send("POST", "/v1/custom-connectors", {
              body: { name: "n", source_name: "notes" }
            })
            const id = operated ? workspace.workspace_id : field<string>(connector, "connector_id")
            const target = path.replaceAll(/:[a-z_]+/g, id)
            const request = sent(body)
            const { longest, result } = yield* longestTurn(send(method, target, request))
            // The amount of pending chunks is limited, too.
            assert.include([200, 201, 400, 404, 413, 422, 503], result.status, kind)
            assert.isBelow(longest, MAX_TURN, `${kind} (${result.status})`)
          }
        }).pipe(Effect.scoped),
      600_000
    )
  }

  it.live("keeps turning while an assistant sends the largest and the worst calls", () =>
    Effect.gen(function*() {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      const adding = (documents: string) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_documents","arguments":{"connector":"notes","documents":${documents}}}}`
      const itemsOf = (body: string) => body.slice(body.indexOf("["), body.lastIndexOf("]") + 1)
      const largest = LARGEST["ingestText"]!(ITEMS).slice(0, BODIES).map(itemsOf).map(adding)
      const worst = Object.values(worstOf(Math.min(ITEMS, WORST)))
      const wrong = worst.filter((body) => body.startsWith("{\"items\"")).map(itemsOf).map(adding)
      for (const raw of [...largest, ...worst, ...wrong]) {
        const { send } = yield* wire({ tier: "pro", held: true })
        yield* send("POST", "/v1/custom-connectors", { body: { name: "n", source_name: "notes" } })
        // The first call loads the library of the protocol.
        yield* send("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" }, headers })
        const { longest, result } = yield* longestTurn(send("POST", "/mcp", { raw, headers }))
        assert.include(largest.includes(raw) ? [200] : [200, 400, 413], result.status)
        if (largest.includes(raw)) assert.include(result.text, "accepted")
        assert.isBelow(longest, MAX_TURN, `${raw.slice(0, 200)} (${result.status})`)
      }
    }).pipe(Effect.scoped), 600_000)

  it.live(
    "keeps turning while a browser sends the worst bodies to every operation of the console",
    () =>
      Effect.gen(function*() {
        const { owner, red } = yield* team
        const targets = CONSOLE.filter(({ method, path }) =>
          !["GET", "DELETE"].includes(method) && !path.endsWith("/sign-out")
        )
        assert.isAbove(targets.length, 8)
        for (const { method, path } of targets) {
          const target = path.replace(":workspace_id", red).replaceAll(/:\w+/g, crypto.randomUUID())
          for (const [kind, raw] of [4_096, 65_536].flatMap((bytes) => Object.entries(worstOf(bytes)))) {
            const { longest, result } = yield* longestTurn(
              owner.visit(method, target, { raw, headers: { "content-type": "application/json" } })
            )
            assert.include([200, 400, 404, 413, 422, 429], result.status, `${method} ${path}, ${kind}`)
            assert.isBelow(longest, MAX_TURN, `${method} ${path}, ${kind}`)
          }
        }
      }).pipe(Effect.scoped),
    600_000
  )
})
