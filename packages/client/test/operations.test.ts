// Every operation against the real service, over a port.
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  type Client,
  createClient,
  createClients,
  NotFoundError,
  PermissionError,
  TributaryError,
  ValidationError
} from "../src/promise.ts"
import { createOperator } from "../src/operator.ts"
import { ADMIN_TOKEN, startService } from "./support/service.ts"

let service: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const failureOf = async (call: Promise<unknown>): Promise<TributaryError> => {
  const error: unknown = await call.then(() => undefined, (error: unknown) => error)
  assert.instanceOf(error, TributaryError)
  return error as TributaryError
}

describe("Connectors", () => {
  it("are created, listed, read, changed and deactivated", async () => {
    const { client, connector_id } = await service.connected()
    const read = await client.connectors.get(connector_id)
    assert.instanceOf(read.created_at, Date)
    assert.strictEqual((await client.connectors.update(connector_id, { name: "Other" })).name, "Other")
    assert.deepStrictEqual(await client.connectors.delete(connector_id), {
      status: "deactivated",
      connector_id: read.connector_id
    })
    assert.deepStrictEqual(await client.connectors.list(), [])
    assert.lengthOf(await client.connectors.list({ include_inactive: true }), 1)
  })
})

describe("Fields that are undefined", () => {
  it("are absent, however deep they are, and every type of a request allows them", async () => {
    const { client, connector_id } = await service.connected()
    const metadata = { team: "ops", owner: undefined }
    const payload = { kind: "page", title: undefined, content: "Deploys", tags: [{ name: "a", colour: undefined }] }
    const item = { external_id: "a", timestamp: new Date(0), payload, metadata }
    await client.ingest.typed(connector_id, [item])
    const stored = await client.documents.getByExternalId(connector_id, "a")
    assert.deepStrictEqual(stored.payload, { kind: "page", content: "Deploys", tags: [{ name: "a" }] })
    assert.deepStrictEqual(stored.metadata, { team: "ops" })
    const { token } = await client.tokens.create(
      { expires_in: 60, scopes: undefined, filter: { metadata, sources: undefined } }
    )
    const narrowed = createClient({ baseUrl: service.baseUrl, apiKey: token })
    assert.lengthOf((await narrowed.documents.browse()).documents, 1)
    const deletion = { filter: { kind: "page", source: undefined }, confirm_total: 1 }
    assert.strictEqual((await client.documents.deleteSelected(deletion)).deleted, 1)
    const team = { name: "Team", kind: undefined }
    assert.strictEqual((await client.workspaces.create(team)).name, "Team")
    assert.lengthOf(await client.documents.browseAll({ q: undefined }, { limit: undefined }).toArray(), 0)
    const upload = { file: new Blob(["Runbook"]), external_id: undefined, metadata: undefined }
    assert.strictEqual((await client.ingest.file(connector_id, upload)).events, 1)
    const form = { form: "text", batchSize: undefined } as const
    assert.strictEqual((await client.ingestAll(connector_id, [{ text: "Deploys", title: undefined }], form)).created, 1)
    const request = { q: "deploys", cursor: undefined, limit: undefined, from: undefined }
    assert.strictEqual((await client.knowledge.search(request)).count, 1)
  })

  it("are looked for only as deep as data may be", async () => {
    const { client, connector_id } = await service.connected()
    let data: object = { end: undefined }
    for (let depth = 0; depth < 100_000; depth++) data = { data }
    await failureOf(client.ingest.json(connector_id, [{ data: data as { readonly end: undefined } }]))
  })
})

describe("Documents", () => {
  const push = async (client: Client, connector_id: string) => {
    await client.ingest.json(connector_id, [{ external_id: "a/b %", data: { colour: "green" } }])
    await client.ingest.text(connector_id, [{ text: "No id of its own.", timestamp: new Date(0) }])
    await client.ingest.typed(connector_id, [
      { external_id: "page", timestamp: new Date(0), payload: { kind: "page", title: "Deploys" } }
    ])
  }

  it("take the fields of an interface, as a copy", async () => {
    interface Ticket {
      readonly number: number
      readonly assignee?: string
    }
    const { client, connector_id } = await service.connected()
    const tickets: ReadonlyArray<Ticket> = [{ number: 1, assignee: "Ada" }, { number: 2 }]
    const items = tickets.map((ticket) => ({ data: { ...ticket } }))
    assert.strictEqual((await client.ingest.json(connector_id, items)).events, 2)
  })

  it("are pushed in every form, listed page by page, read and deleted", async () => {
    const { client, connector_id } = await service.connected()
    await push(client, connector_id)
    const pages: Array<number> = []
    for await (const { items } of client.documents.list(connector_id, {}, { limit: 2 }).pages()) {
      pages.push(items.length)
    }
    assert.deepStrictEqual(pages, [2, 1])
    const documents = await client.documents.list(connector_id).toArray()
    assert.lengthOf(documents, 3)
    const green = await client.documents.getByExternalId(connector_id, "a/b %")
    assert.deepStrictEqual(green.payload, { colour: "green" })
    assert.strictEqual((await client.documents.get(green.document_id)).external_id, "a/b %")
    await client.documents.delete(green.document_id)
    await client.documents.deleteByExternalId(connector_id, "page")
    const others = documents.map(({ external_id }) => external_id)
    assert.lengthOf((await client.documents.deleteMany(connector_id, others)).external_ids, 1)
    const events: Array<string> = []
    for await (const { type } of client.events.list({}, { limit: 2 })) events.push(type)
    const created = Array.from({ length: 3 }, () => "document.created")
    assert.deepStrictEqual(events, [...created, ...Array.from({ length: 3 }, () => "document.deleted")])
  })

  it("are created from files", async () => {
    const { client, connector_id } = await service.connected()
    const file = new File(["# Deploys\n\nDeploys run on weekdays."], "deploys.md", { type: "text/markdown" })
    const upload = { file, external_id: "deploys", metadata: { team: "ops" }, timestamp: new Date(0) }
    assert.strictEqual((await client.ingest.file(connector_id, upload)).items[0]?.status, "created")
    const document = await client.documents.getByExternalId(connector_id, "deploys")
    assert.deepInclude(document, {
      kind: "page",
      metadata: { path: "deploys.md", team: "ops" },
      timestamp: new Date(0)
    })
    assert.include(document.text, "Deploys run on weekdays.")
    const misspelled = { ...upload, externalId: "a" }
    const refused = await client.ingest.file(connector_id, misspelled).catch((error: unknown) => error)
    assert.instanceOf(refused, TributaryError)
    assert.include((refused as Error).message, "There is no option \"externalId\".")
    const unnamed = await client.ingest.file(connector_id, { file: new Blob(["plain"], { type: "text/plain" }) })
    assert.match(unnamed.external_ids[0]!, /^[0-9a-f-]{36}$/)
  })

  it("are created once from a file without an id, if the answer is lost", async () => {
    const { key } = await service.newKey()
    let uploads = 0
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).endsWith("/upload") || ++uploads > 1) return response
      await response.arrayBuffer()
      throw new TypeError("fetch failed")
    }
    const client = createClient({ baseUrl: service.baseUrl, apiKey: key, fetch: losing, retries: { minimumDelay: 1 } })
    const { connector_id } = await client.connectors.create({ name: "Notes", source_name: "notes" })
    const file = new Blob(["plain"], { type: "text/plain" })
    assert.strictEqual((await client.ingest.file(connector_id, { file })).items[0]?.status, "unchanged")
    assert.strictEqual(uploads, 2)
  })

  it("are fetched a page at a time, and only as needed", async () => {
    const { key } = await service.newKey()
    let requests = 0
    const counting: typeof fetch = (input, init) => {
      requests++
      return fetch(input, init)
    }
    const client = createClient({ baseUrl: service.baseUrl, apiKey: key, fetch: counting })
    const { connector_id } = await client.connectors.create({ name: "Notes", source_name: "notes" })
    await client.ingest.text(connector_id, Array.from({ length: 5 }, (_, index) => ({ text: `Note ${index}` })))
    requests = 0
    const list = client.documents.list(connector_id, {}, { limit: 2 })
    assert.strictEqual(requests, 0)
    for await (const _ of list) break
    assert.strictEqual(requests, 1)
    assert.lengthOf(await list.toArray(), 5)
    assert.strictEqual(requests, 4)
  })
})

describe("Knowledge", () => {
  it("is configured, awaited, searched and asked", async () => {
    const { client, connector_id } = await service.connected()
    await client.ingest.text(connector_id, [
      { external_id: "holidays", title: "Holidays", text: "The office is closed from December 24 to January 1." },
      { external_id: "deploys", title: "Deploys", text: "Deploys run on weekdays. The office is not needed." }
    ])
    const days = { type: "relative", days: 30 } as const
    await client.knowledge.updateSettings({ temporal_settings: { start: days, end: null } })
    assert.deepStrictEqual((await client.knowledge.settings()).temporal_settings.start, days)
    const seen: Array<boolean> = []
    const status = await client.knowledge.waitUntilUpToDate({ onProgress: ({ up_to_date }) => seen.push(up_to_date) })
    assert.isTrue(status.up_to_date)
    assert.isTrue(seen.at(-1))
    assert.isTrue((await client.knowledge.status()).up_to_date)
    assert.strictEqual((await client.knowledge.refresh()).status, "queued")

    const { results } = await client.knowledge.search({ q: "closed office", limit: 1 })
    assert.strictEqual(results[0]?.external_id, "holidays")
    const all = await client.knowledge.searchAll({ q: "office", limit: 1 }).toArray()
    assert.lengthOf(all, 2)

    const { citations, response } = await client.knowledge.ask({ query: "When is the office closed?" })
    assert.include(response, "December 24")
    assert.strictEqual(citations[0]?.entity.external_id, "holidays")

    const job = await client.knowledge.askLater({ query: "When is the office closed?" })
    const ended = await client.knowledge.waitForJob(job.job_id)
    assert.strictEqual(ended.result?.response, response)
    assert.strictEqual((await client.knowledge.job(job.job_id, { wait: 1 })).status, "succeeded")
    assert.deepStrictEqual((await client.knowledge.jobs({ status: "succeeded" }).toArray()).map((job) => job.job_id), [
      job.job_id
    ])
    assert.strictEqual((await client.knowledge.cancelJob(job.job_id)).status, "succeeded")
  })
})

describe("Workspaces", () => {
  it("are created, listed and metered", async () => {
    const { client, workspaceId } = await service.connected()
    const made = await client.workspaces.create({ name: "Team" })
    assert.match(made.api_key.secret, /^pk_live_/)
    assert.lengthOf(await client.workspaces.list({ limit: 1 }).toArray(), 2)
    assert.strictEqual((await client.usage()).workspace_id, workspaceId)
  })
})

describe("Failures", () => {
  it("are instances of one class, with the request's id", async () => {
    const { client } = await service.connected()
    const error = await failureOf(client.connectors.get("nowhere"))
    assert.instanceOf(error, NotFoundError)
    assert.deepInclude(error, {
      name: "NotFoundError",
      code: "client_not_found",
      status: 404,
      details: null,
      retryable: false
    })
    assert.match(error.requestId!, /^[0-9a-f-]{36}$/)
    assert.strictEqual((error.cause as { _tag: string })._tag, "client_not_found")
  })

  it("of validation have every problem, in the service's words", async () => {
    const { client, connector_id } = await service.connected()
    const error = await failureOf(client.connectors.create({ name: " ", source_name: "No Slug" }))
    assert.instanceOf(error, ValidationError)
    const { problems } = error as ValidationError
    assert.deepStrictEqual(problems.map(({ loc }) => loc), [["body", "name"], ["body", "source_name"]])
    assert.include(error.message, "body.name: String should have at least 1 character")
    const limit = await failureOf(client.documents.list(connector_id, {}, { limit: 1_000 }).toArray())
    assert.deepStrictEqual((limit as ValidationError).problems[0]?.loc, ["query", "limit"])
  })

  it("of the key have the missing scopes", async () => {
    const { key } = await service.newKey("free", ["knowledge:read"])
    const client = createClient({ baseUrl: `${service.baseUrl}/`, apiKey: key })
    const error = await failureOf(client.connectors.list())
    assert.instanceOf(error, PermissionError)
    assert.deepStrictEqual((error as PermissionError).missingScopes, ["custom_connectors:read"])
    const unknown = createClient({ baseUrl: service.baseUrl, apiKey: "pk_live_x" })
    assert.strictEqual((await failureOf(unknown.usage())).code, "authentication_error")
  })

  it("of a request that cannot be encoded are thrown before anything is sent", async () => {
    const { client, connector_id } = await service.connected()
    const item = { text: "x", timestamp: new Date(Number.NaN) }
    const error = await failureOf(client.ingest.text(connector_id, [item]))
    assert.instanceOf(error, ValidationError)
    assert.deepInclude(error, { code: "invalid_request", status: null })
    assert.deepStrictEqual((error as ValidationError).problems.map(({ loc }) => loc), [["items", 0, "timestamp"]])
    assert.strictEqual((await failureOf(client.documents.getByExternalId(connector_id, ".."))).code, "invalid_request")
  })

  it("of an unknown field are thrown as over HTTP, where it is never left out silently", async () => {
    const { client, connector_id } = await service.connected()
    const problemsOf = async (call: Promise<unknown>) =>
      ((await failureOf(call)) as ValidationError).problems.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)
    // Of another shape than a literal, because TypeScript refuses unknown fields only in literals.
    const search = { q: "x", source: ["custom:bench"] }
    assert.deepStrictEqual(await problemsOf(client.knowledge.search(search)), [
      "source: Extra inputs are not permitted"
    ])
    const item = { text: "x", tilte: "y" }
    assert.deepStrictEqual(await problemsOf(client.ingest.text(connector_id, [item])), [
      "items.0.tilte: Extra inputs are not permitted"
    ])
    const filter = { sauce: "custom:bench" }
    assert.deepStrictEqual(await problemsOf(client.documents.browse(filter as object)), [
      "sauce: Extra inputs are not permitted"
    ])
    // The service ignores them in connectors.
    const connector = { name: "Other", source_name: "other", colour: "red" }
    assert.strictEqual((await client.connectors.create(connector)).source_name, "other")
  })

  it("of a rate limit have the time to wait", async () => {
    const { client } = await service.connected("free")
    for (let count = 0; count < 5; count++) await client.knowledge.ask({ query: "q" })
    const error = await failureOf(client.knowledge.ask({ query: "q" }))
    assert.deepInclude(error, { name: "RateLimitError", code: "rate_limit_exceeded", status: 429, retryable: true })
    assert.isAbove(error.retryAfter!, 0)
    assert.include(error.details, { endpoint: "ask", limit: 5, remaining: 0 })
  })
})

describe("createClient", () => {
  it("refuses an invalid address or key", () => {
    for (const baseUrl of ["nowhere", "localhost:8787", "ftp://service"]) {
      assert.throws(
        () => createClient({ baseUrl, apiKey: "k" }),
        TypeError,
        `such as http://127.0.0.1:8787, not "${baseUrl}"`
      )
    }
    assert.throws(() => createClient({ baseUrl: "http://x", apiKey: "a\nb" }), TypeError, /apiKey/)
  })
})

describe("createClients", () => {
  it("uses one key at a time", async () => {
    const clientWith = createClients({ baseUrl: service.baseUrl })
    const [one, two] = [await service.newKey(), await service.newKey()]
    const usages = await Promise.all([one, two].map(({ key }) => clientWith(key).usage()))
    assert.deepStrictEqual(usages.map(({ workspace_id }) => workspace_id as string), [one.workspaceId, two.workspaceId])
  })
})

describe("createOperator", () => {
  it("calls the operator API", async () => {
    const operator = createOperator({ baseUrl: service.baseUrl, apiKey: ADMIN_TOKEN })
    const { account_id, personal_workspace: { workspace_id } } = await operator.accounts.create({ name: "Acme" })
    const shared = await operator.workspaces.create({ account_id, name: "Team" })
    const { limits, tier } = await operator.workspaces.update(workspace_id, { tier: "pro", limits: { documents: 3 } })
    assert.deepStrictEqual([tier, limits.documents], ["pro", 3])
    const key = await operator.keys.create(workspace_id, {
      name: "CI",
      scopes: ["api:read"],
      expires_at: new Date(2e12)
    })
    assert.deepStrictEqual((await operator.keys.list(workspace_id)).map(({ key_id }) => key_id), [key.key_id])
    const client = createClient({ baseUrl: service.baseUrl, apiKey: key.secret })
    assert.strictEqual((await client.usage()).workspace_id, workspace_id)
    assert.strictEqual((await operator.keys.revoke(key.key_id)).status, "revoked")
    assert.strictEqual((await failureOf(client.usage())).code, "authentication_error")
    const all = (await operator.workspaces.list({ limit: 2 }).toArray()).map((workspace) => workspace.workspace_id)
    assert.includeMembers(all, [workspace_id, shared.workspace_id])
    assert.strictEqual((await operator.workspaces.delete(shared.workspace_id)).status, "deleted")
    assert.strictEqual((await operator.accounts.delete(account_id)).status, "deleted")
    assert.instanceOf(await failureOf(operator.accounts.delete(account_id)), NotFoundError)
  })
})
