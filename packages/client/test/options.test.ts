// Options that do not exist and numbers that make no sense, given to a client or to one of its calls.
import { assert, describe, it } from "vitest"
import { createOperator } from "../src/operator.ts"
import { type Client, createClient, createClients, ValidationError } from "../src/promise.ts"

const address = { baseUrl: "http://service", apiKey: "key" }

/** A host without a compiler. */
const untyped = <A>(options: object): A => options as A

/** A client, and the number of its requests. */
const counted = () => {
  const requests = { sent: 0 }
  const client = createClient({ ...address, fetch: async () => (requests.sent++, Response.json({})) })
  return { client, requests }
}

const rejection = (call: Promise<unknown>): Promise<unknown> => call.then(() => "fulfilled", (error: unknown) => error)

const firstOf = async (entries: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of entries) return
}

describe("A client", () => {
  it.each([
    [{ timeout: 0 }, "timeout"],
    [{ attemptTimeout: Infinity }, "attemptTimeout"],
    [{ retries: { attempts: 0 } }, "retries.attempts"],
    [{ retries: { attempts: 1.5 } }, "retries.attempts"],
    [{ retries: { minimumDelay: -1 } }, "retries.minimumDelay"],
    [{ retries: { maximumWait: NaN } }, "retries.maximumWait"]
  ])("is not made with %j", (options, name) => {
    assert.throws(() => createClient({ ...address, ...options }), TypeError, `The option "${name}" must be a `)
  })

  it.each([
    [{ retry: {} }, "retry"],
    [{ retries: { attempt: 2 } }, "retries.attempt"]
  ])("is not made with %j, which it would ignore", (options, name) => {
    const connection = { ...address, ...options }
    const message = `There is no option "${name}". The options are: `
    assert.throws(() => createClient(untyped(connection)), TypeError, message)
    assert.throws(() => createOperator(untyped(connection)), TypeError, message)
    const { apiKey: _, ...service } = connection
    assert.throws(() => createClients(untyped(service)), TypeError, message)
  })

  it("is not made without its options or without a key", () => {
    assert.throws(() => createClient(undefined as never), TypeError, "The options must be an object, not undefined.")
    assert.throws(() => createClients(untyped("http://service" as never)), TypeError, "The options must be an object")
    const isMissing = `The option "apiKey" is missing.`
    assert.throws(() => createClient(untyped({ baseUrl: "http://service" })), TypeError, isMissing)
    assert.throws(() => createOperator(untyped({ baseUrl: "http://service" })), TypeError, isMissing)
    assert.throws(() => createClient({ baseUrl: "http://service", apiKey: "" }), TypeError, isMissing)
    assert.throws(() => createClient({ ...address, retries: 3 as never }), TypeError, `"retries" must be an object`)
  })

  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    ["a text in place of a search", ({ knowledge }) => knowledge.search("keys" as never), "Expected object"],
    ["no question at all", ({ knowledge }) => knowledge.ask(undefined as never), "Expected object"],
    ["one item in place of a list", ({ ingest }) => ingest.text("1", { text: "a" } as never), "items: Expected array"],
    ["a list with a text in it", ({ ingest }) => ingest.json("1", ["a" as never]), "items.0: Expected object"],
    [
      "a field that is missing",
      ({ connectors }) => connectors.create({ name: "A" } as never),
      "source_name: Field required"
    ]
  ])("says what is wrong with %s, and sends nothing", async (_, call, message) => {
    const { client, requests } = counted()
    const error = await rejection(call(client))
    assert.instanceOf(error, ValidationError)
    assert.strictEqual(error.message, message)
    assert.strictEqual(requests.sent, 0)
  })

  it.each([undefined, 5, "a text", { text: "a" }])(
    "ingests nothing of %j, which is no list of items",
    async (items) => {
      const { client, requests } = counted()
      const error = await rejection(client.ingestAll("1", items as never, { form: "text" }))
      assert.instanceOf(error, TypeError)
      assert.strictEqual(error.message, "The items must be an iterable or an async iterable.")
      assert.strictEqual(requests.sent, 0)
    }
  )

  it("sends nothing for a call with a misspelled option", async () => {
    const { client, requests } = counted()
    const misspelled = { signl: AbortSignal.timeout(1) }
    const calls: ReadonlyArray<() => Promise<unknown>> = [
      () => client.usage(untyped(misspelled)),
      () => client.knowledge.waitForJob("1", untyped(misspelled)),
      () => client.knowledge.waitUntilUpToDate(untyped(misspelled)),
      () => client.ingestAll("1", [], untyped<{ readonly form: "text" }>({ form: "text", ...misspelled })),
      async () => firstOf(client.knowledge.jobs({}, untyped(misspelled))),
      async () => firstOf(client.knowledge.askStream({ query: "?" }, untyped(misspelled))),
      async () => firstOf(client.events.live({}, untyped(misspelled))),
      async () => firstOf(client.webhooks.live("1", untyped(misspelled)))
    ]
    for (const call of calls) {
      const error = await rejection(call())
      assert.instanceOf(error, TypeError)
      assert.match(error.message, /^There is no option "signl"\. The options are: .*\bsignal, timeout\b/)
    }
    assert.strictEqual(requests.sent, 0)
  })

  it.each([
    [{ form: "text", batchSize: 0 }, "batchSize"],
    [{ form: "text", batchSize: 1_001 }, "batchSize"],
    [{ form: "text", batchSize: 2.5 }, "batchSize"],
    [{ form: "text", concurrency: 5 }, "concurrency"],
    [{ form: "text", concurrency: NaN }, "concurrency"],
    [{ form: "txt" }, "form"],
    [{}, "form"]
  ])("ingests nothing with the options %j", async (options, name) => {
    const { client, requests } = counted()
    const error = await rejection(
      client.ingestAll("1", [{ text: "One." }], untyped<{ readonly form: "text" }>(options))
    )
    assert.instanceOf(error, TypeError)
    assert.include(error.message, `The option "${name}" must be `)
    assert.strictEqual(requests.sent, 0)
  })

  it("sends nothing for a call without a sensible timeout", async () => {
    const { client, requests } = counted()
    for (const timeout of [0, -1, NaN, Infinity]) {
      const calls = [client.usage({ timeout }), client.knowledge.waitUntilUpToDate({ timeout })]
      for (const call of calls) {
        const error = await rejection(call)
        assert.instanceOf(error, TypeError)
        assert.match(error.message, /^The option "timeout" must be a number from 1 to \d+, not /)
      }
    }
    assert.strictEqual(requests.sent, 0)
  })
})
