// Every operation answers any input as its definition declares, and never with a 5xx.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { extent } from "../../../.ci/extent.ts"
import { MAIL_PASSWORD } from "./support/mailProvider.ts"
import { FORM_TYPE, formText, OPERATED, type Operation, PUBLIC } from "./support/operations.ts"
import { randomOf } from "./support/random.ts"
import { threadMillis } from "./support/threadMillis.ts"
import { ADMIN_TOKEN, type Answer, BASE_URL, field, type Sent, wire } from "./support/wire.ts"

const REQUESTS = extent(5_000, 200_000)

const SEED = 20_261_122

const random = randomOf(SEED)
const { chance, pick } = random

// Without `wait`: the clock of the test does not move.
const QUERIES = ["limit", "cursor", "status", "source", "kind", "external_id", "include_inactive", "x"]

const HEADERS: ReadonlyArray<Readonly<Record<string, string>>> = [
  { accept: "text/event-stream" },
  { accept: "image/png, */*;q=0" },
  { prefer: "respond-async" },
  { "last-event-id": "0" },
  { "last-event-id": "x", accept: "text/event-stream" },
  { "x-request-id": "é".repeat(300) },
  { "content-type": "text/plain" },
  { "content-type": "multipart/form-data" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-encoding": "gzip" },
  { "content-length": "-1" }
]

/** Ids by the names that they have in paths. */
type Ids = Readonly<Record<string, ReadonlyArray<string>>>

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const bodyOf = ({ example, takesBody, takesForm }: Operation, { account_id }: Ids): Sent => {
  if (!takesBody) return {}
  const known = isObject(example) && "account_id" in example ? { ...example, account_id: account_id?.[0] } : example
  if (!takesForm && chance(0.15)) {
    return { raw: JSON.stringify(known ?? {}), headers: { "content-type": "application/json" } }
  }
  const body = () => known === undefined || chance(0.2) ? random.json(4) : random.mutated(known)
  const raw = takesForm
    ? formText({
      ...(chance(0.5) ? { kind: pick(["page", "email", "calendar", "x", ""]) } : {}),
      ...(chance(0.5) ? { payload: random.json(2), metadata: random.json(1) } : {}),
      ...(chance(0.3) ? { timestamp: random.text(), external_id: random.text() } : {}),
      ...(chance(0.1) ? { [random.text()]: "x" } : {})
    }, random.json(1))
    : body()
  return {
    raw: chance(0.15) ? random.torn(raw) : raw,
    headers: { "content-type": takesForm ? FORM_TYPE : "application/json" }
  }
}

/** The change in the number of documents and connectors that an answer reports. */
const changeOf = ({ name }: Operation, answer: Answer): { readonly documents: number; readonly connectors: number } => {
  if (answer.status >= 300) return { documents: 0, connectors: 0 }
  switch (name) {
    case "createConnector":
      return { documents: 0, connectors: 1 }
    case "deleteConnectorDocument":
    case "deleteDocument":
      return { documents: -1, connectors: 0 }
    case "deleteDocuments":
      return { documents: -field<number>(answer, "deleted"), connectors: 0 }
    case "deleteConnectorDocuments":
      return { documents: -field<ReadonlyArray<unknown>>(answer, "external_ids").length, connectors: 0 }
  }
  return { documents: name.startsWith("ingest") ? createdIn(answer) : 0, connectors: 0 }
}

const ITEMS = ["a", "b", "c"].map((external_id) => ({ external_id, text: "Deploys run on weekdays." }))

const createdIn = (answer: Answer): number =>
  field<ReadonlyArray<{ readonly status: string }>>(answer, "items").filter(({ status }) => status === "created").length

/** A service with something of everything in it, which an operation finds by its ids. */
const prepared = Effect.gen(function*() {
  // Due background work waits, so that only requests change anything.
  const service = yield* wire({ tier: "pro", held: true })
  const { newKey, operate, send } = service
  const created = yield* send("POST", "/v1/custom-connectors", { body: { name: "n", source_name: "seeded" } })
  const connector_id = field<string>(created, "connector_id")
  const path = `/v1/custom-connectors/${connector_id}`

  const operated = Effect.gen(function*() {
    const victim = yield* operate("POST", "/accounts", { body: { name: "V" } })
    const { workspace_id } = field<{ readonly workspace_id: string }>(victim, "personal_workspace")
    const { key_id } = yield* newKey(["api:read"], workspace_id)
    yield* operate("POST", "/operators", { body: { name: "V", scopes: ["operator:read"] } })
    // The newest ones, because their number is limited.
    const { body } = yield* operate("GET", "/operators")
    const { operators } = body as { readonly operators: ReadonlyArray<{ readonly operator_id: string }> }
    return {
      account_id: [field<string>(victim, "account_id")],
      workspace_id: [workspace_id],
      key_id: [key_id],
      operator_id: operators.slice(0, 1).map(({ operator_id }) => operator_id)
    } satisfies Ids
  })

  const pulled = Effect.gen(function*() {
    const config = { host: "mail.example", username: "ada", password: MAIL_PASSWORD }
    yield* send("POST", "/v1/connections", { body: { provider: "imap", name: "Post", config } })
    const connections = (yield* send("GET", "/v1/connections")).body as ReadonlyArray<
      { readonly connection_id: string }
    >
    const url = "https://example.com/hook"
    yield* send("POST", "/v1/webhooks", { body: { url, event_types: ["document.created"] } })
    const webhooks = (yield* send("GET", "/v1/webhooks")).body as ReadonlyArray<{ readonly webhook_id: string }>
    const webhook_id = webhooks.slice(0, 1).map(({ webhook_id }) => webhook_id)
    yield* send("PATCH", `/v1/webhooks/${webhook_id}`, { body: { url, status: "active" } })
    const delivery = yield* send("POST", `/v1/webhooks/${webhook_id}/test`)
    return {
      connection_id: connections.slice(0, 1).map(({ connection_id }) => connection_id),
      resource: ["INBOX"],
      webhook_id,
      event_id: [field<string>(delivery, "event_id")]
    } satisfies Ids
  })

  const asked = Effect.gen(function*() {
    const query = "When do deploys run?"
    const job = yield* send("POST", "/v1/knowledge/ask", { body: { query, async: true } })
    const answer = yield* send("POST", "/v1/knowledge/ask", { body: { query } })
    return { job_id: [field<string>(job, "job_id")], question_id: [answer.headers.get("x-question-id") ?? "none"] }
  })

  const pushed = Effect.gen(function*() {
    // Restored, so that later requests are not all refused.
    yield* send("PATCH", path, { body: { is_active: true, accepted_kinds: [] } })
    const ingested = yield* send("POST", `${path}/ingest/text`, { body: { items: ITEMS } })
    const items = field<ReadonlyArray<{ readonly document_id: string }>>(ingested, "items")
    const ids = {
      connector_id: [connector_id],
      document_id: items.map(({ document_id }) => document_id),
      external_id: ITEMS.map(({ external_id }) => external_id)
    } satisfies Ids
    return { created: createdIn(ingested), ids }
  })

  /** Something new of everything, and how many documents that made. */
  const seeded = Effect.gen(function*() {
    const { created, ids } = yield* pushed
    const all: Ids = { ...ids, ...yield* operated, ...yield* pulled, ...yield* asked }
    return { created, ids: all }
  })
  const foreign = yield* newKey(["api:read", "api:write"], (yield* operated).workspace_id[0])
  const unscoped = yield* newKey(["workspaces:read"])
  return { ...service, seeded, keys: [foreign.secret, unscoped.secret, "pk_live_x", null] }
})

describe("Hostile requests", () => {
  it.effect("get their documented answers, and change nothing if they are refused", () =>
    Effect.gen(function*() {
      const { key: own, keys, open, seeded, send } = yield* prepared
      const operations = [...PUBLIC, ...OPERATED]
      const seen = new Map(operations.map(({ name }) => [name, new Map<number, number>()]))
      let { created, ids } = yield* seeded
      const model = { documents: created, connectors: 1 }
      let slowest = 0

      const requestOf = (operation: Operation): readonly [string, Sent] => {
        const known = (name: string) => chance(0.85) ? ids[name]! : Object.values(ids).flat()
        const target = operation.path.replaceAll(
          /:([a-z_]+)/g,
          (_, name: string) => chance(0.7) ? pick(known(name)) : random.text()
        )
        const query = chance(0.3) ? `?${pick(QUERIES)}=${random.text()}&${pick(QUERIES)}=${random.text()}` : ""
        const body = bodyOf(operation, ids)
        const headers = chance(0.2) ? { ...body.headers, ...pick(HEADERS) } : body.headers ?? {}
        const key = chance(0.1) ? pick(keys) : operation.operated ? ADMIN_TOKEN : undefined
        return [target + query, { ...body, headers, ...(key === undefined ? {} : { key }) }]
      }

      /** A live stream has no end to wait for. */
      const begun = Effect.fnUntraced(function*(target: string, key: string | null, sent: Sent) {
        const headers = { ...sent.headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
        const response = yield* open(new Request(BASE_URL + target, { headers }))
        const isStream = response.headers.get("content-type") === "text/event-stream"
        const text = isStream ? "" : yield* Effect.promise(() => response.text())
        if (isStream) {
          const reader = response.body!.getReader()
          // A stream that is never read keeps its slot until its request ends, here at the end of the test.
          yield* Effect.promise(() => reader.read())
          yield* Effect.promise(() => reader.cancel())
        }
        const answer: Answer = {
          status: response.status,
          headers: response.headers,
          text,
          body: text === "" ? undefined : JSON.parse(text)
        }
        return answer
      })

      for (let count = 0; count < REQUESTS; count++) {
        const operation = pick(operations)
        const { complaint, method, name } = operation
        const [target, sent] = requestOf(operation)
        const live = name === "listEvents" && sent.headers?.["accept"] === "text/event-stream"
        const before = threadMillis()
        const answer = yield* (live
          ? begun(target, sent.key === undefined ? own.secret : sent.key, sent)
          : send(method, target, sent))
        slowest = Math.max(slowest, threadMillis() - before)
        const shown = `${count}: ${method} ${target} ${JSON.stringify(sent)} -> ${answer.status} ${answer.text}`
        assert.isUndefined(complaint(answer), `${complaint(answer)}, ${shown}`)
        assert.isBelow(answer.status, 500, shown)
        // Later questions of the same moment would be taken for deleted ones.
        if (name === "deleteQuestions") yield* TestClock.adjust(1)
        const statuses = seen.get(name)!
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)

        if (sent.key === undefined) {
          const change = changeOf(operation, answer)
          model.documents += change.documents
          model.connectors += change.connectors
        }
        if (count % 100 === 0) {
          ;({ created, ids } = yield* seeded)
          model.documents += created
          const usage = yield* send("GET", "/v1/usage/current")
          const { documents } = field<{ readonly documents: { readonly used: number } }>(usage, "entitlements")
          const connectors = yield* send("GET", "/v1/custom-connectors?include_inactive=true")
          const counted = { documents: documents.used, connectors: (connectors.body as ReadonlyArray<unknown>).length }
          assert.deepStrictEqual(counted, model, shown)
        }
      }
      // Every operation was reached: it did what it is for, and it refused. There are no syncs that would bring documents
      // in, and no moment at which just as many documents match as the example confirms.
      const absent = new Set(["confirmDeletions", "deleteDocuments"])
      for (const [name, statuses] of seen) {
        assert.isTrue(
          absent.has(name) || [...statuses.keys()].some((status) => status < 300),
          name
        )
        assert.isTrue([...statuses.keys()].some((status) => status >= 400), name)
      }
      const total: Record<number, number> = {}
      for (const statuses of seen.values()) {
        for (const [status, count] of statuses) total[status] = (total[status] ?? 0) + count
      }
      const megabytes = Math.round(process.memoryUsage().rss / 1_048_576)
      process.stdout.write(
        `${REQUESTS} requests: ${JSON.stringify(total)}. The slowest took ${
          Math.round(slowest)
        } ms of processor time; ` +
          `${megabytes} MB at the end, everything that they stored included.\n`
      )
    }), 3_600_000)
})
