import * as Memory from "@tributary/memory/Memory"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { StorageUnavailable } from "@tributary/core/model/Error"
import { Effect, Layer, Logger } from "effect"
import { assert, describe, it, vi } from "vitest"
import {
  AuthenticationError,
  type NewWorkspace,
  NotFoundError,
  open,
  openWith,
  type Options,
  type Parts,
  UnavailableError,
  ValidationError
} from "../src/open.ts"
import { failureOf } from "./support/failureOf.ts"

const rejection = async (options: Options): Promise<Error> => {
  const error: unknown = await open(options).then((kb) => kb.close(), (error: unknown) => error)
  assert.instanceOf(error, Error)
  return error as Error
}

describe("A knowledge base in memory", () => {
  it("ingests texts, finds them, and answers with citations", async () => {
    await using kb = await open({ storage: "memory" })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const connector = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
    assert.deepStrictEqual(connector.created_by, { type: "user", id: "operator" })
    const result = await workspace.ingest.text(connector.connector_id, [
      { title: "Holidays", text: "The office is closed from December 24 to January 1." }
    ])
    assert.strictEqual(result.events, 1)
    assert.strictEqual((await workspace.search({ q: "office" })).results[0]?.title, "Holidays")
    const { citations, response } = await workspace.ask({ query: "When is the office closed?" })
    assert.include(response, "December 24")
    assert.strictEqual(citations[0]?.entity.title, "Holidays")
    assert.isTrue((await workspace.waitUntilUpToDate()).up_to_date)
    assert.strictEqual((await workspace.status()).state, "ready")
    assert.deepStrictEqual((await workspace.settings()).temporal_settings.start, { type: "relative", days: 365 })
    assert.strictEqual((await workspace.usage()).entitlements.documents.used, 1)
    assert.lengthOf(await workspace.documents.list(connector.connector_id).toArray(), 1)
    assert.lengthOf(await workspace.events.list().toArray(), 1)
    const job = await workspace.askLater({ query: "When is the office closed?" })
    assert.strictEqual((await workspace.waitForJob(job.job_id)).result?.response, response)
  })

  it("has the errors of the HTTP API, with the same classes", async () => {
    await using kb = await open({ storage: "memory" })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const missing = await failureOf(workspace.connectors.get("nowhere"))
    assert.instanceOf(missing, NotFoundError)
    assert.deepInclude(missing, { code: "client_not_found", status: 404 })
    const invalid = await failureOf(workspace.connectors.create({ name: "", source_name: "X" }))
    assert.instanceOf(invalid, ValidationError)
    assert.lengthOf((invalid as ValidationError).problems, 2)
    assert.instanceOf(await failureOf(kb.createWorkspace({ name: " " })), ValidationError)
    assert.instanceOf(await failureOf(kb.workspace("no where \ud800").usage()), AuthenticationError)
    const nowhere = await failureOf(kb.workspace("nowhere").usage())
    assert.instanceOf(nowhere, AuthenticationError)
    assert.strictEqual(nowhere.message, "There is no workspace with this id.")
  })

  it("refuses unknown fields of a new workspace before anything is made", async () => {
    await using kb = await open({ storage: "memory" })
    const error = await failureOf(kb.createWorkspace({ name: "Handbook", teir: "free", email: "a@b.c" } as never))
    assert.instanceOf(error, ValidationError)
    assert.strictEqual(
      error.message,
      "teir: Extra inputs are not permitted; email: Extra inputs are not permitted"
    )
    assert.isEmpty(await kb.workspaces().toArray())
    const change = await failureOf(kb.updateWorkspace(crypto.randomUUID(), { teir: "free" } as never))
    assert.include(change.message, "Extra inputs are not permitted")
  })

  it("says what is missing if nothing is given", async () => {
    await using kb = await open({ storage: "memory" })
    const problemOf = (call: Promise<unknown>) => call.then(() => "none", (error: unknown) => String(error))
    const nameless = "TypeError: A new workspace must be an object with a \"name\"."
    assert.strictEqual(await problemOf(kb.createWorkspace("Handbook" as never)), nameless)
    for (const backend of [undefined, { storage: "memory" }]) {
      const layerless = "TypeError: The backend of \"openWith\" must be a layer."
      assert.strictEqual(await problemOf(openWith(backend as never)), layerless)
    }
  })

  it("keeps nothing of a workspace that cannot be made as it was asked for", async () => {
    await using kb = await open({ storage: "memory" })
    await kb.createWorkspace({ name: "Handbook" })
    const before = await kb.workspaces().toArray()
    for (const account of [{}, { account: before[0]!.account_id }]) {
      const negative = await failureOf(kb.createWorkspace({ name: "Guest", limits: { documents: -1 }, ...account }))
      assert.instanceOf(negative, ValidationError)
      const unknown = await failureOf(kb.createWorkspace({ name: "Guest", tier: "gold" as never, ...account }))
      assert.instanceOf(unknown, ValidationError)
    }
    assert.deepStrictEqual(await kb.workspaces().toArray(), before)
  })

  it("isolates workspaces, and itself from every other", async () => {
    await using kb = await open({ storage: "memory" })
    await using other = await open({ storage: "memory" })
    const [one, two] = await Promise.all([kb.createWorkspace({ name: "One" }), kb.createWorkspace({ name: "Two" })])
    const { connector_id } = await one.connectors.create({ name: "Notes", source_name: "notes" })
    assert.deepStrictEqual(await two.connectors.list(), [])
    assert.strictEqual((await failureOf(two.connectors.get(connector_id))).code, "client_not_found")
    assert.strictEqual((await kb.workspace(one.id).connectors.list())[0]?.connector_id, connector_id)
    assert.strictEqual((await failureOf(other.workspace(one.id).usage())).code, "authentication_error")
    const names = (await kb.workspaces().toArray()).map(({ kind, name }) => `${kind} ${name}`)
    assert.deepStrictEqual(names.sort(), ["personal Personal", "personal Personal", "shared One", "shared Two"])
    assert.deepStrictEqual(await other.workspaces().toArray(), [])
  })

  it("has plans, limits and suspension if the host sets them", async () => {
    await using kb = await open({ storage: "memory" })
    const guest = await kb.createWorkspace({ name: "Guest", tier: "free", limits: { documents: 1 } })
    const { connector_id } = await guest.connectors.create({ name: "Notes", source_name: "notes" })
    const { rejected } = await guest.ingest.text(connector_id, [{ text: "one" }, { text: "two" }])
    assert.strictEqual(rejected[0]?.resource, "documents")
    for (let count = 0; count < 5; count++) await guest.ask({ query: "q" })
    assert.strictEqual((await failureOf(guest.ask({ query: "q" }))).code, "rate_limit_exceeded")
    await kb.updateWorkspace(guest.id, { suspended: true })
    assert.strictEqual((await failureOf(guest.usage())).code, "permission_denied")
    await kb.deleteWorkspace(guest.id)
    assert.strictEqual((await failureOf(guest.usage())).code, "authentication_error")
  })

  it("gives a storage up that does not answer when it is closed", async () => {
    const silent = Layer.effectDiscard(Effect.addFinalizer(() => Effect.never))
    const kb = await openWith(Layer.merge(Memory.layer, silent))
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let isClosed = false
      const closed = kb.close().then(() => isClosed = true)
      await vi.advanceTimersByTimeAsync(19_000)
      assert.isFalse(isClosed)
      await vi.advanceTimersByTimeAsync(10_000)
      await closed
    } finally {
      vi.useRealTimers()
    }
  })

  it("finishes running calls when it is closed, and refuses later ones", async () => {
    const kb = await open({ storage: "memory" })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const { connector_id } = await workspace.connectors.create({ name: "Notes", source_name: "notes" })
    const pushed = workspace.ingest.text(connector_id, [{ text: "one" }])
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([kb.close(), kb.close()])
    assert.strictEqual((await pushed).events, 1)
    const error = await failureOf(workspace.usage())
    assert.strictEqual(error.code, "closed")
    assert.include(error.message, "The knowledge base is closed.")
  })

  it("leaves turns of the event loop to others, however many calls follow one another", async () => {
    await using kb = await open({ storage: "memory" })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    let turns = 0
    const count = () => {
      if (++turns < 2) setImmediate(count)
    }
    setImmediate(count)
    for (let calls = 0; calls < 100_000; calls++) {
      await workspace.knowledge.settings()
      if (turns === 2) break
    }
    assert.strictEqual(turns, 2)
  })

  it("stops on its abort signal", async () => {
    await using kb = await open({ storage: "memory" })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const job = await workspace.askLater({ query: "q" })
    await workspace.waitForJob(job.job_id)
    const error = await workspace.usage({ signal: AbortSignal.abort() }).catch((error: unknown) => error)
    assert.strictEqual((error as Error).name, "AbortError")
  })
})

describe("open", () => {
  it("takes an option that is undefined as absent, also where a compiler distinguishes the two", async () => {
    const { account, limits, memory, tier }: Partial<NewWorkspace & Parts> = {}
    await using kb = await open({ storage: "memory", memory, logger: undefined, kinds: undefined, timeout: undefined })
    const workspace = await kb.createWorkspace({ name: "Handbook", account, limits, tier })
    assert.strictEqual((await workspace.search({ q: "office", limit: undefined })).count, 0)
  })

  it("lists the kinds of storage in an error", async () => {
    const error = await rejection({ storage: "disk" } as never)
    assert.match(error.message, /^There is no storage "disk"\. Use "memory", "embedded" or "postgres"/)
  })

  it.each([
    [undefined, /^The option "storage" is missing\. Use "memory"/],
    [{ storage: "memory", embeder: {} }, /^There is no option "embeder"\. The options are: storage, /],
    [{ storage: "postgres" }, /^Storage "postgres" needs the option "url" or "sql"\.$/],
    [{ storage: "postgres", url: "db", migrate: "check" }, /^The option "url" must be an address\.$/],
    [
      { storage: "postgres", url: "postgres://db", migrate: "chek" },
      /^The option "migrate" must be "auto" or "check"\.$/
    ],
    [{ storage: "embedded" }, /^Storage "embedded" needs the option "directory"\.$/],
    [{ storage: "memory", memory: "1 GB" }, /^The option "memory" must be a number from 1 to \d+, not "1 GB"\.$/],
    [
      { storage: "memory", answers: { url: "nowhere", model: "m" } },
      /^The option "answers" must be .+ "url" .+ "model", /
    ],
    [
      { storage: "memory", answers: { url: "localhost:11434/v1", model: "m" } },
      /^The option "answers" must be an object with the http or https address "url" /
    ],
    [{ storage: "memory", telemetry: { url: "localhost:4318" } }, /^The option "telemetry" must be an object with /],
    ["memory", /^The options must be an object, not "memory"\.$/],
    [{ storage: "memory", providers: [{ provider: "notes" }] }, /"providers" must be a list of providers, such as /],
    [{ storage: "memory", logger: console }, /^The option "logger" must be a Logger of Effect or false\.$/],
    [{ storage: "memory", telemetry: { serviceName: "handbook" } }, /^The option "telemetry" must be an object with /],
    [{ storage: "memory", kinds: [] }, /^The option "kinds" must be an object\.$/],
    [
      { storage: "memory", kinds: { note: {} } },
      /^The kind "note" has no "fields", the types of its fields by name\.?$/
    ],
    [{ storage: "memory", kinds: { note: null } }, /^The kind "note" has no "fields"/],
    [{ storage: "memory", ranking: { k1: 2 } }, /"ranking" must be an object of "parameters", which has "k1", /],
    [{ storage: "memory", ranking: { parameters: { k1: 2 } } }, /"ranking" must be an object of "parameters", which /],
    [{ storage: "memory", url: "postgres://db" }, /^The option "url" is for the storage "postgres" only\.$/],
    [
      { storage: "embedded", directory: "d", schema: "s" },
      /^The option "schema" is for the storage "postgres" only\.$/
    ],
    [{ storage: "postgres", url: "postgres://db", sql: { connect: () => null } }, /"url" has no effect with "sql"/],
    [{ storage: "postgres", sql: () => null }, /^The option "sql" must be a pool of the package "pg" or a SqlClient/],
    [
      { storage: "postgres", url: "postgres://db", maxConnections: 1 },
      /^The option "maxConnections" must be a whole number from 2 to 1000, not 1\.$/
    ],
    [{ storage: "memory", retries: { attempt: 3 } }, /^The option "retries" must be an object of "attempts", /],
    [
      { storage: "memory", answers: { url: "http://model", model: "m", temperature: 1 } },
      /^The option "answers" must be .+ "key", .+ "concurrency", which has "workspace" and "process"\.$/
    ],
    [
      { storage: "memory", answers: { url: "http://model", model: "m", concurrency: { workspaces: 1 } } },
      /"concurrency", which has "workspace" and "process"\.$/
    ],
    [{ storage: "memory", answers: { url: "http://model", model: "m", key: 7 } }, /^The option "answers" must be /],
    [{ storage: "memory", segmentCache: { directory: "d", maxByte: 1 } }, /^The option "segmentCache" must be /],
    [{ storage: "memory", telemetry: { url: "http://collector", rate: 1 } }, /^The option "telemetry" must be /],
    [
      { storage: "memory", extractor: { fromFile: () => null } },
      /must be an object with the methods "fromMarkup" and /
    ],
    [
      { storage: "memory", reranker: { rerank: () => null } },
      /or an object with the name "model" and a method "rerank"/
    ],
    [
      { storage: "memory", embedder: { model: "m", embed: String } },
      /^The option "embedder" must be an object with /
    ],
    [
      { storage: "memory", embedder: { model: "m", dimensions: 2, embed: String } },
      /whole numbers "dimensions" \(or /
    ],
    [
      { storage: "memory", embedder: { model: "m", dimensions: 2, batch: 0, embed: String } },
      / and "batch", and a /
    ],
    [
      { storage: "memory", embedder: { dimensions: 2, batch: 8, embed: String } },
      / with the name "model", the whole/
    ],
    [{ storage: "memory", clock: {} }, /^The option "clock" must be a Clock of Effect\.$/],
    [{ storage: "memory", encryptionKeys: [new Uint8Array(3)] }, /must be a list of keys of 32 bytes each\.$/]
  ])("refuses %j", async (options, message) => {
    assert.match((await rejection(options as never)).message, message)
  })

  const model = { url: "http://model", model: "m" }
  const NO_NUMBERS = [-1, NaN, Infinity, "5"]

  it.each<readonly [option: string, options: (value: unknown) => object, others: ReadonlyArray<unknown>]>([
    ["memory", (memory) => ({ memory }), [0]],
    ["timeout", (timeout) => ({ timeout }), [0]],
    ["attemptTimeout", (attemptTimeout) => ({ attemptTimeout }), [0]],
    ["retries.attempts", (attempts) => ({ retries: { attempts } }), [0, 1.5]],
    ["retries.minimumDelay", (minimumDelay) => ({ retries: { minimumDelay } }), []],
    ["retries.maximumWait", (maximumWait) => ({ retries: { maximumWait } }), []],
    ["answers.contextTokens", (contextTokens) => ({ answers: { ...model, contextTokens } }), [0, 1_000.5]],
    ["answers.timeout", (timeout) => ({ answers: { ...model, timeout } }), [0]],
    ["answers.rest", (rest) => ({ answers: { ...model, rest } }), [0]],
    ["answers.concurrency.process", (process) => ({ answers: { ...model, concurrency: { process } } }), [0, 1.5]],
    ["answers.concurrency.workspace", (workspace) => ({ answers: { ...model, concurrency: { workspace } } }), [0]],
    ["embeddings.dimensions", (dimensions) => ({ embeddings: { ...model, dimensions } }), [0, 1.5]],
    ["segmentCache.maxBytes", (maxBytes) => ({ segmentCache: { directory: "segments", maxBytes } }), [0]],
    ["telemetry.ratio", (ratio) => ({ telemetry: { url: "http://collector", ratio } }), [1.5]],
    ["ranking.parameters.k1", (k1) => ({ ranking: { parameters: { k1, b: 0, proximity: 0 } } }), []],
    ["ranking.parameters.b", (b) => ({ ranking: { parameters: { k1: 1, b, proximity: 0 } } }), [2]]
  ])(
    "refuses numbers out of range for %s, with the option, the range and the number",
    async (name, options, others) => {
      for (const value of [...NO_NUMBERS, ...others]) {
        const error = await rejection({ storage: "memory", ...options(value) } as never)
        assert.instanceOf(error, TypeError)
        const expected = `The option "${name}" must be a `
        assert.strictEqual(error.message.slice(0, expected.length), expected)
        assert.match(error.message, / from \d+ to \d+, not /)
        assert.isTrue(error.message.endsWith(`, not ${typeof value === "string" ? `"${value}"` : String(value)}.`))
      }
    }
  )

  it.each([
    ["storage", { storage: "memory" }],
    ["storage", { storage: "embedded", directory: "somewhere" }],
    ["url", { url: "postgres://db" }]
  ])("does not take %s for layers, which are the storage", async (name, options) => {
    const error: unknown = await openWith(Memory.layer, options as object).then((kb) => kb.close(), (error) => error)
    assert.instanceOf(error, TypeError)
    assert.include(error.message, `The option "${name}" is for "open" only`)
  })

  it("runs on a host's own layers", async () => {
    const down = Layer.effect(
      DocumentStore,
      Effect.map(
        DocumentStore,
        (store) => DocumentStore.of({ ...store, list: () => Effect.fail(new StorageUnavailable({ cause: "down" })) })
      )
    )
    await using kb = await openWith(Layer.provideMerge(down, Layer.merge(Memory.layer, Logger.layer([]))))
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const { connector_id } = await workspace.connectors.create({ name: "Notes", source_name: "notes" })
    const error = await failureOf(workspace.documents.list(connector_id).toArray())
    assert.instanceOf(error, UnavailableError)
    assert.deepInclude(error, { code: "service_unavailable", status: 503, retryable: true })
  })
})
