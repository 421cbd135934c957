// Whatever is sent to any operation, the answer is one that its definition declares, and never a 5xx.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { extent } from "../../../.ci/extent.ts"
import { FORM_TYPE, formText, OPERATED, type Operation, PUBLIC } from "./support/operations.ts"
import { randomOf } from "./support/random.ts"
import { ADMIN_TOKEN, type Answer, BASE_URL, field, type Sent, wire } from "./support/wire.ts"

const REQUESTS = extent(12_000, 24_000)

const SEED = 20_261_122

const random = randomOf(SEED)
const { chance, pick } = random

const QUERIES = ["limit", "cursor", "status", "wait", "source", "kind", "external_id", "include_inactive", "x"]

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

interface Victim {
  readonly workspace: string
  readonly account: string
  readonly key: string
  readonly operator: string
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const bodyOf = ({ example, takesBody, takesForm }: Operation, { account }: Victim): Sent => {
  if (!takesBody) return {}
  const known = isObject(example) && "account_id" in example ? { ...example, account_id: account } : example
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

/** How many documents and connectors an answer says there are more, or fewer. */
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

/** A service with something in it, and a way to workspaces that an operator may do anything to. */
const prepared = Effect.gen(function*() {
  // What is due in the background stays due, so that only requests change anything.
  const service = yield* wire({ tier: "pro", held: true })
  const { newKey, operate, send } = service
  const created = yield* send("POST", "/v1/custom-connectors", { body: { name: "n", source_name: "notes" } })
  const connector = field<string>(created, "connector_id")
  const path = `/v1/custom-connectors/${connector}`
  const ingested = yield* send("POST", `${path}/ingest/text`, { body: { items: ITEMS } })
  const documents = field<ReadonlyArray<{ readonly document_id: string }>>(ingested, "items")
  const newVictim = Effect.gen(function*() {
    const victim = yield* operate("POST", "/accounts", { body: { name: "V" } })
    const workspace = field<{ readonly workspace_id: string }>(victim, "personal_workspace").workspace_id
    const { key_id } = yield* newKey(["api:read"], workspace)
    yield* operate("POST", "/operators", { body: { name: "V", scopes: ["operator:read"] } })
    // Of the newest: there is a bound on how many there are.
    const listed = yield* operate("GET", "/operators")
    const [{ operator_id } = { operator_id: "" }] = field<ReadonlyArray<{ readonly operator_id: string }>>(
      listed,
      "operators"
    )
    return {
      account: field<string>(victim, "account_id"),
      workspace,
      key: key_id,
      operator: operator_id
    } satisfies Victim
  })
  const foreign = yield* newKey(["api:read", "api:write"], (yield* newVictim).workspace)
  const unscoped = yield* newKey(["workspaces:read"])
  return {
    ...service,
    path,
    ids: [connector, connector, connector, ...documents.map(({ document_id }) => document_id), "a"],
    newVictim,
    keys: [foreign.secret, unscoped.secret, "pk_live_x", null]
  }
})

describe("Hostile requests", () => {
  it.effect("are answered as documented, and change nothing where they are refused", () =>
    Effect.gen(function*() {
      const { ids, key: own, keys, newVictim, open, path, send } = yield* prepared
      const operations = [...PUBLIC, ...OPERATED]
      const seen = new Map(operations.map(({ name }) => [name, new Set<number>()]))
      const model = { documents: 3, connectors: 1 }
      let victim = yield* newVictim

      const requestOf = (operation: Operation): readonly [string, Sent] => {
        const known = operation.operated ? Object.values(victim) : ids
        const target = operation.path.replaceAll(/:[a-z_]+/g, () => chance(0.6) ? pick(known) : random.text())
        const query = chance(0.3) ? `?${pick(QUERIES)}=${random.text()}&${pick(QUERIES)}=${random.text()}` : ""
        const body = bodyOf(operation, victim)
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
        if (isStream) yield* Effect.promise(() => response.body!.cancel())
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
        const answer = yield* (live
          ? begun(target, sent.key === undefined ? own.secret : sent.key, sent)
          : send(method, target, sent))
        const shown = `${count}: ${method} ${target} ${JSON.stringify(sent)} -> ${answer.status} ${answer.text}`
        assert.isUndefined(complaint(answer), `${complaint(answer)}, ${shown}`)
        assert.isBelow(answer.status, 500, shown)
        seen.get(name)!.add(answer.status)

        if (sent.key === undefined) {
          const change = changeOf(operation, answer)
          model.documents += change.documents
          model.connectors += change.connectors
        }
        if (count % 100 === 0) {
          victim = yield* newVictim
          // The one who changed it: what comes then should not all be refused for that.
          yield* send("PATCH", path, { body: { is_active: true, accepted_kinds: [] } })
          model.documents += createdIn(yield* send("POST", `${path}/ingest/text`, { body: { items: ITEMS } }))
          const usage = yield* send("GET", "/v1/usage/current")
          const { documents } = field<{ readonly documents: { readonly used: number } }>(usage, "entitlements")
          const connectors = yield* send("GET", "/v1/custom-connectors?include_inactive=true")
          const counted = { documents: documents.used, connectors: (connectors.body as ReadonlyArray<unknown>).length }
          assert.deepStrictEqual(counted, model, shown)
        }
      }
      // Every operation was reached: it did what it is for, and it refused.
      // There is no job, question or webhook whose id is known here, no connection whose syncs would bring documents in,
      // and no moment at which just as many documents match as the example confirms.
      const absent = new Set(
        operations.filter(({ path }) => /:(?:connection|job|question|webhook)_id/.test(path)).map(({ name }) => name)
      )
      for (const [name, statuses] of seen) {
        assert.isTrue(
          absent.has(name) || name === "deleteDocuments" || [...statuses].some((status) => status < 300),
          name
        )
        assert.isTrue([...statuses].some((status) => status >= 400), name)
      }
    }), 600_000)
})
