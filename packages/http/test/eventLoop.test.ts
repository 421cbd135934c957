/**
 * Whatever one client sends, others are answered meanwhile: no operation keeps the thread for long, neither with the
 * largest body that it takes nor with the worst that it refuses. What is measured is processor time of the thread between
 * two turns of the event loop, which other work of the machine does not lengthen.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { extent } from "../../../.ci/extent.ts"
import { BodyLimit } from "../src/api/BodyLimit.ts"
import { LARGE } from "../src/body/JsonSurvey.ts"
import { FORM_TYPE, formText, OPERATED, type Operation, PUBLIC } from "./support/operations.ts"
import { threadMillis } from "./support/threadMillis.ts"
import { ADMIN_TOKEN, field, wire } from "./support/wire.ts"

/** Milliseconds of processor time. */
const LONGEST = 250

/** Bytes of what is refused. */
const WORST = extent(1_048_576, Infinity)

/** How many bodies of an operation that takes large ones. */
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

const fill = (before: string, piece: string, after: string, bytes: number): string =>
  before + piece.repeat(Math.floor((bytes - before.length - after.length) / piece.length)) + after

/** What stops a service that does not count before it parses. */
const worstOf = (bytes: number): Readonly<Record<string, string>> => {
  const keys = Array.from({ length: Math.floor(bytes / 11) }, (_, key) => `"${String(key).padStart(6, "0")}":1`)
  return {
    "empty objects": fill(`{"items":[{}`, ",{}", "]}", bytes),
    "numbers": fill(`{"items":[1`, ",1", "]}", bytes),
    "unknown keys": `{${keys.join()}}`,
    "deep brackets": fill("", "[", "", bytes),
    "blanks": fill("", " ", "x", bytes),
    "an open string": fill("\"", "\\n", "", bytes),
    "escaped quotes": fill(`{"q":"`, "\\\"", `"`, bytes),
    "digits that would be lost": fill(`{"q":["a"`, ",9007199254740993", "]}", bytes),
    "bytes that are no text": fill("{\"q\":\"é", "é", "\"", bytes / 2) + "\ud800",
    "nothing but commas": fill("[", ",", "]", bytes)
  }
}

const email = (to: number) => ({
  external_id: "a",
  timestamp: "2026-01-01T00:00:00Z",
  payload: { kind: "email", subject: "s", to: Array.from({ length: to }, (_, index) => `${index}@example.org`) }
})

const words = (bytes: number): string => "Deploys run on weekdays, at nine. ".repeat(Math.floor(bytes / 34))

/** Of the operations that take large bodies, the largest that they take; all others are filled up with blanks. */
const LARGEST: Readonly<Record<string, (limit: number) => ReadonlyArray<string>>> = {
  ingestJson: () => [
    JSON.stringify({ items: [{ data: words(32_000_000) }] }),
    JSON.stringify({ items: [{ data: Array.from({ length: 99_000 }, (_, index) => index) }] }),
    JSON.stringify({
      items: [{ data: Array.from({ length: 30_000 }, (_, index) => ({ [`k${index}`]: words(400) })) }]
    }),
    JSON.stringify({
      items: Array.from({ length: 1_000 }, (_, index) => ({ external_id: `${index}`, data: { a: words(30_000) } }))
    })
  ],
  ingestText: () => [
    JSON.stringify({ items: [{ text: words(32_000_000) }] }),
    JSON.stringify({ items: [{ text: words(16_000_000), content_type: "text/markdown" }] }),
    JSON.stringify({
      items: Array.from({ length: 1_000 }, (_, index) => ({ external_id: `${index}`, text: words(30_000) }))
    })
  ],
  ingestTyped: () => [
    JSON.stringify({ items: [email(90_000)] }),
    JSON.stringify({ items: Array.from({ length: 200 }, (_, index) => ({ ...email(4_000), external_id: `${index}` })) })
  ],
  ingestFile: () => [formText({ kind: "page" }, words(32_000_000))],
  deleteConnectorDocuments: () => [
    JSON.stringify({ external_ids: Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(512, "é")) })
  ],
  deleteDocuments: () => [
    JSON.stringify({ document_ids: Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(100, "é")) })
  ],
  createConnector: () => [
    JSON.stringify({
      name: "n",
      source_name: "large",
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, "é".repeat(2_000)]))
    })
  ],
  updateConnector: () => [
    JSON.stringify({
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, "é".repeat(2_000)]))
    })
  ]
}

const operations = [...PUBLIC, ...OPERATED].filter(({ takesBody }) => takesBody)

const largestOf = ({ bodyLimit, example, name }: Operation): ReadonlyArray<string> =>
  LARGEST[name]?.(bodyLimit) ?? [`${JSON.stringify(example ?? {})}`.padEnd(bodyLimit, " ")]

describe("The event loop", () => {
  it("has the largest body of every operation that takes a large one", () => {
    const large = operations.filter(({ bodyLimit }) => bodyLimit > LARGE).map(({ name }) => name)
    assert.deepStrictEqual(Object.keys(LARGEST).sort(), large.sort())
    assert.isBelow(BodyLimit.defaultValue(), LARGE)
  })

  for (const operation of operations) {
    const { bodyLimit, method, name, operated, path, takesForm } = operation
    it.live(`turns while ${name} is sent the largest and the worst bodies`, () =>
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
          const connector = yield* send("POST", "/v1/custom-connectors", { body: { name: "n", source_name: "notes" } })
          const id = operated ? workspace.workspace_id : field<string>(connector, "connector_id")
          const target = path.replaceAll(/:[a-z_]+/g, id)
          const request = sent(body)
          const { longest, result } = yield* longestTurn(send(method, target, request))
          // Of how much may wait to be indexed there is an end, too.
          assert.include([200, 201, 400, 404, 413, 422, 503], result.status, kind)
          assert.isBelow(longest, LONGEST, `${kind} (${result.status})`)
        }
      }).pipe(Effect.scoped), 600_000)
  }
})
