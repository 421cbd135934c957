/** Commands that follow events and the log of operators until they are stopped. */
import { setTimeout } from "node:timers/promises"
import { createClient, type Event } from "@tributary/client"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freePort } from "../../../packages/sources/test/support/programs.ts"
import { startReceiver } from "./faults/support/hookReceiver.ts"
import { eventually } from "./faults/support/nodes.ts"
import { embeddedStore } from "./faults/support/stores.ts"
import { api, type Run, type RunningServer, startServer, tributary } from "./serverProcess.ts"

const ADMIN_TOKEN = "0123456789abcdef01234567"

const TYPES = ["document.created", "document.updated", "document.deleted"] as const

const linesOf = <A>({ output }: Run): ReadonlyArray<A> =>
  output.stdout.split("\n").slice(0, -1).map((line) => JSON.parse(line) as A)

/** As the API sends it. */
const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value))

const stop = async (run: Run) => {
  run.child.kill("SIGINT")
  await run.ended
}

describe("A command that follows", () => {
  const store = embeddedStore()
  let port: number
  const start = (key?: string) =>
    startServer([], {
      ...store.settings,
      TRIBUTARY_PORT: String(port),
      TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN,
      TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "127.0.0.1"
    }, key)
  let server: RunningServer
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    port = await freePort()
    server = await start()
  })
  afterAll(async () => {
    await server.stop()
    receiver.close()
    await store.remove()
  })

  it("events prints every event of the list, the client and a webhook, also across a crash and a stop", async () => {
    const { key, url } = server
    const way = { TRIBUTARY_URL: url, TRIBUTARY_KEY: key }
    const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Notes",
      source_name: "notes"
    })
    const path = `/v1/custom-connectors/${connector_id}`
    const put = (external_id: string, text: string) =>
      api(server, "POST", `${path}/ingest/text`, { items: [{ external_id, text }] })
    const { secret } = await api<{ secret: string }>(server, "POST", "/v1/webhooks", {
      url: receiver.url,
      event_types: TYPES
    })
    receiver.secret = secret

    const run = tributary(["events", "--follow", "--json"], way)
    const printed = () => linesOf<Event>(run)
    // Nothing reports that it listens, so documents are pushed until one appears.
    await eventually("it listens", async () => {
      await put(crypto.randomUUID(), "Does it listen?")
      return printed().length > 0
    })
    const [first] = printed()
    await put("a", "The heron nests behind the mill.")
    await put("a", "The heron has left.")
    await eventually(
      "both are printed",
      async () => printed().filter((event) => event.external_id === "a").length === 2
    )
    server.child.kill("SIGKILL")
    await server.ended
    server = await start(key)
    await api(server, "DELETE", `${path}/documents/a`)
    await put("b", "A kingfisher came.")

    await eventually("all is printed", async () => printed().some(({ external_id }) => external_id === "b"))
    assert.strictEqual(await server.stop(), 0)
    server = await start(key)
    await put("c", "It ate a minnow.")
    await eventually("what followed is printed", async () => printed().some(({ external_id }) => external_id === "c"))
    await stop(run)
    const client = createClient({ baseUrl: url, apiKey: key })
    const events: ReadonlyArray<Event> = plain(await client.events.list().toArray())
    const since = events.slice(events.findIndex(({ event_id }) => event_id === first!.event_id))
    assert.deepStrictEqual(printed(), since)
    assert.deepStrictEqual(since.filter(({ external_id }) => external_id === "a").map(({ type }) => type), [...TYPES])

    const live: Array<Event> = []
    for await (const { event } of client.events.live({}, { after: "0" })) {
      live.push(event)
      if (live.length === events.length) break
    }
    assert.deepStrictEqual(plain(live), events)
    const sent = () => [...new Set(receiver.got.map(({ id }) => id))]
    await eventually("all is sent", async () => sent().length === events.length)
    assert.sameMembers(sent(), events.map(({ event_id }) => event_id))
  })

  it("a webhook prints every kind of event that the webhook takes, as it is sent", async () => {
    const { webhook_id } = await api<{ webhook_id: string }>(server, "POST", "/v1/webhooks", {
      url: `${receiver.url}/other`,
      secret: receiver.secret,
      event_types: ["document.created", "context.rebuilt", "ask.succeeded"]
    })
    const { webhooks } = createClient({ baseUrl: server.url, apiKey: server.key })
    const bodies = async () => (await webhooks.deliveries(webhook_id).toArray()).map(({ body }) => body).reverse()
    const way = { TRIBUTARY_URL: server.url, TRIBUTARY_KEY: server.key }
    const run = tributary(["events", "--follow", "--json", "--webhook", webhook_id], way)
    const printed = () => linesOf<{ readonly type: string }>(run)
    // Nothing reports that it listens; it looks once per second.
    await eventually("it listens", async () => {
      await webhooks.test(webhook_id)
      await setTimeout(500)
      return printed().length > 0
    })
    const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Birds",
      source_name: "birds"
    })
    await api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, { items: [{ text: "A wren." }] })
    await api(server, "PATCH", "/v1/knowledge/settings", { temporal_settings: { start: null, end: null } })
    await api(server, "POST", "/v1/knowledge/ask", { query: "Which bird?", async: true })
    const kinds = ["document.created", "context.rebuilt", "ask.succeeded"]
    await eventually(
      "all kinds are printed",
      async () => kinds.every((kind) => printed().some(({ type }) => type === kind))
    )
    await stop(run)
    // More may have been queued before the first line and after the last one, but nothing between them.
    assert.include((await bodies()).join("\n"), run.output.stdout.trimEnd())

    const listed = tributary(["events", "--webhook", webhook_id], way)
    await listed.ended
    const lines = listed.output.stdout.trimEnd().split("\n")
    assert.lengthOf(lines, (await bodies()).length)
    assert.match(lines.find((line) => line.includes("document"))!, /Z  document\.created  custom:birds  \S+$/)
    assert.match(
      lines.find((line) => line.includes("context.rebuilt"))!,
      /Z  context\.rebuilt +snapshot_id=\S+ built_at=\S+/
    )
  })

  it.each(["an address", "the data directory"])("audit export prints entries across a restart, by %s", async (by) => {
    const way = by === "an address" ? { TRIBUTARY_URL: server.url, TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN } : store.settings
    const run = tributary(["audit", "export", "--follow"], way)
    const printed = () => linesOf<{ readonly sequence: number; readonly action: string }>(run)
    const add = (name: string) =>
      api({ url: server.url, key: ADMIN_TOKEN }, "POST", "/admin/v1/accounts", { name, tier: "free" })
    await add("before")
    await eventually("what was written is printed", async () => printed().length >= 2)
    const before = printed().length
    assert.strictEqual(await server.stop(), 0)
    await eventually("it says that no server answers", async () => run.output.stderr.includes("Does it run?"))
    server = await start(server.key)
    await add("then")
    await eventually("what is written then is printed", async () => printed().length >= before + 2)
    await stop(run)
    const sequences = printed().map(({ sequence }) => sequence)
    assert.deepStrictEqual(sequences, sequences.map((_, at) => at + 1))
    assert.deepStrictEqual(printed().slice(-2).map(({ action }) => action), ["createAccount", "createAccount"])
  })

  it("audit export needs a server, which it would keep from starting", async () => {
    assert.strictEqual(await server.stop(), 0)
    const run = tributary(["audit", "export", "--follow"], store.settings)
    assert.strictEqual(await run.ended, 1)
    assert.match(run.output.stderr, /^No server runs on .*, so there is nothing to follow\. Start it first\.\n$/)
    server = await start(server.key)
  })

  it("ends as on Ctrl-C when its terminal closes", async () => {
    const run = tributary(["audit", "export", "--follow"], store.settings)
    await eventually("it has begun", async () => linesOf(run).length > 0)
    run.child.kill("SIGHUP")
    assert.strictEqual(await run.ended, 130)
  })
})
