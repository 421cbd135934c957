// docs/operate: the dashboard and the alerts use existing metrics with existing labels.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { wire } from "../support/wire.ts"

const read = (name: string): string =>
  readFileSync(new URL(`../../../../docs/operate/${name}`, import.meta.url), "utf8")

interface Panel {
  readonly title: string
  readonly targets: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>
}

const { panels } = JSON.parse(read("grafana.json")) as { readonly panels: ReadonlyArray<Panel> }

const alerts = read("alerts.yml").split("\n").flatMap((line) => /^ {8}expr: (.+)$/.exec(line)?.[1] ?? [])

/** Added by Prometheus, with every scrape. */
const OF_PROMETHEUS = new Set(["up", "instance", "job"])

/** The metrics of an expression, each with the labels that it is asked by. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\b(up|http_\w+|tributary_\w+)(?:\{([^}]*)\})?/g)]
    .filter(([, name]) => !name!.startsWith("http_r") && name !== "http_route")
    .map(([, name, selector = ""]) => ({
      name: name!,
      labels: [...selector.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label]) => label!)
    }))

const groupedBy = (expression: string): ReadonlyArray<string> =>
  [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/,\s*/))

/** The server's metrics after a request and a job. */
const scraped = Effect.gen(function*() {
  const { send } = yield* wire({ tier: "pro" })
  yield* send("POST", "/v1/knowledge/search", { body: { q: "heron" } })
  yield* send("POST", "/v1/knowledge/ask", { body: { query: "Where does the heron nest?", async: true } })
  yield* Effect.repeat(TestClock.adjust("1 second"), { times: 5 })
  const { text } = yield* send("GET", "/metrics", { key: null })
  const labels = new Map<string, ReadonlySet<string>>()
  for (const [, name, selector] of text.matchAll(/^(\w+)\{([^}]*)\} /gm)) {
    labels.set(name!, new Set([...selector!.matchAll(/(\w+)="/g)].map(([, label]) => label!)))
  }
  return { labels, text }
})

const checkExpression = (expression: string, known: ReadonlyMap<string, ReadonlySet<string>>) => {
  const metrics = metricsIn(expression)
  assert.isNotEmpty(metrics, expression)
  for (const { labels, name } of metrics) {
    if (OF_PROMETHEUS.has(name)) continue
    assert.isTrue(known.has(name), `${name} of ${expression}`)
    for (const label of [...labels, ...groupedBy(expression)]) {
      assert.isTrue(OF_PROMETHEUS.has(label) || known.get(name)!.has(label), `${label} of ${expression}`)
    }
  }
}

describe("docs/operate", () => {
  it.effect("has a dashboard whose every panel shows an existing metric", () =>
    Effect.gen(function*() {
      const { labels } = yield* scraped
      assert.isAbove(panels.length, 5)
      for (const { targets, title } of panels) {
        assert.isNotEmpty(targets, title)
        for (const { expr, legendFormat } of targets) {
          checkExpression(expr, labels)
          for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) assert.include(groupedBy(expr), label, title)
        }
      }
    }))

  it.effect("has alerts on existing metrics, outcomes and queues", () =>
    Effect.gen(function*() {
      const { labels, text } = yield* scraped
      assert.strictEqual(alerts.length, 5)
      for (const expression of alerts) checkExpression(expression, labels)
      assert.match(text, /^tributary_job_duration_seconds_count\{.*outcome="succeeded"/m)
      assert.match(text, /^tributary_job_wait_seconds_count\{.*queue="ask"/m)
      assert.include(text, "http_route=\"/v1/knowledge/search\"")
    }))
})
