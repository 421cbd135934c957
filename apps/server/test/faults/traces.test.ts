/** One trace over two servers on one Postgres: a request to one, and its job on the other. */
import { once } from "node:events"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startCollector } from "../../../../packages/node/test/support/collector.ts"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import { TIMEOUT } from "./support/extent.ts"
import { eventually, killAll, type Moment, paused, start } from "./support/nodes.ts"
import { postgresStore, type TestStore } from "./support/stores.ts"
import { Tenant } from "./support/Tenant.ts"

const TRACE = "0af7651916cd43dd8448eb211c80319c"

describe.skipIf(databaseUrl === null)("two servers that send traces", { timeout: TIMEOUT }, () => {
  const store = postgresStore(databaseUrl ?? "postgres://none")
  const collectors: Array<Awaited<ReturnType<typeof startCollector>>> = []

  /** A server with a separate collector. */
  const startTraced = async () => {
    const collector = await startCollector()
    collectors.push(collector)
    const traced: TestStore = {
      ...store,
      settings: { ...store.settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    }
    const node = await start(traced)
    const span = (name: string) =>
      eventually(
        `the span ${name}`,
        async () => collector.spans().find((span) => span.name === name && span.traceId === TRACE)
      )
    return { node, collector, span }
  }

  let asked: Awaited<ReturnType<typeof startTraced>>
  let working: Awaited<ReturnType<typeof startTraced>>
  beforeAll(async () => {
    asked = await startTraced()
    working = await startTraced()
  }, TIMEOUT)

  afterAll(async () => {
    await killAll()
    await store.remove()
    for (const collector of collectors) await collector.close()
  }, TIMEOUT)

  it("put one server's rebuild into the trace of the other's change of settings, and link it", async () => {
    const { key } = await Tenant.open(asked.node)
    // It has stored the change with its job, and stops before it can start the job.
    const understood = once(asked.node.child, "message")
    asked.node.child.send(`SIGSTOP ${"answered COMMIT" satisfies Moment}`)
    await understood
    const answer = fetch(`${asked.node.url}/v1/knowledge/settings`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        traceparent: `00-${TRACE}-b7ad6b7169203331-01`
      },
      body: JSON.stringify({ temporal_settings: { start: { type: "relative", days: 30 }, end: null } })
    })
    await paused(asked.node)
    const job = await working.span("job context")
    asked.node.child.kill("SIGCONT")
    assert.strictEqual((await answer).status, 200)

    const patch = await asked.span("PATCH /v1/knowledge/settings")
    const spans = asked.collector.spans()
    const ancestors = (id: string | undefined): ReadonlyArray<string> => {
      const span = spans.find(({ spanId }) => spanId === id)
      return span === undefined ? [] : [span.name, ...ancestors(span.parentSpanId)]
    }
    assert.strictEqual(ancestors(job.parentSpanId).at(-1), patch.name)
    assert.deepStrictEqual(job.links?.map(({ spanId, traceId }) => [spanId, traceId]), [[job.parentSpanId, TRACE]])
    assert.strictEqual((await working.span("KnowledgeContext.rebuild")).traceId, TRACE)
  })
})
