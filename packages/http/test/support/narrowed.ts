/** A workspace of which a token sees a part, and its assistant. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Json } from "./connected.ts"
import { field, type Sent, wire } from "./wire.ts"

/** The operations that apply the filter of a token, and that a token with one may use; no others. */
export const FILTERED: ReadonlyArray<string> = [
  "ask",
  "browseDocuments",
  "getAskJob",
  "getConnector",
  "getConnectorDocument",
  "getDocument",
  "getUsage",
  "listAskJobs",
  "listConnections",
  "listConnectors",
  "listDocuments",
  "listEvents",
  "rateQuestion",
  "search"
]

const NOW = "2026-05-05T10:00:00.000Z"

export const FILTER = { sources: ["custom:wiki"], metadata: { team: "a" } }

export const TEXT = "Deploys run on weekdays before 16:00. A deploy on Friday needs a reason."

export const full = Effect.gen(function*() {
  yield* TestClock.setTime(Date.parse(NOW))
  const service = yield* wire({ tier: "pro" })
  const connector = Effect.fnUntraced(function*(source_name: string) {
    const made = yield* service.send("POST", "/v1/custom-connectors", { body: { name: source_name, source_name } })
    return `/v1/custom-connectors/${field<string>(made, "connector_id")}`
  })
  const ingest = Effect.fnUntraced(function*(path: string, items: ReadonlyArray<Json>) {
    const answer = yield* service.send("POST", `${path}/ingest/text`, { body: { items } })
    return field<ReadonlyArray<{ readonly document_id: string }>>(answer, "items").map(({ document_id }) => document_id)
  })
  const wiki = yield* connector("wiki")
  const vault = yield* connector("vault")
  const [shown, hidden] = yield* ingest(wiki, [
    { external_id: "shown", text: TEXT, metadata: { team: "a" } },
    { external_id: "hidden", text: `${TEXT} Hidden of wiki.`, metadata: { team: "b" } }
  ])
  const [locked] = yield* ingest(vault, [
    { external_id: "locked", text: `${TEXT} Hidden of vault.`, metadata: { team: "a" } }
  ])
  const issue = (body: Json, sent: Sent = {}) => service.send("POST", "/v1/tokens", { body, ...sent })
  const newToken = (body: Json) =>
    Effect.map(issue({ expires_in: 3_600, ...body }), (made) => field<string>(made, "token"))
  const token = yield* newToken({ filter: FILTER })
  const as = (key: string) => (method: string, path: string, sent: Sent = {}) =>
    service.send(method, path, { key, ...sent })
  const assistant = (key: string) => {
    const call = Effect.fnUntraced(function*(method: string, params: Json = {}) {
      const { text } = yield* as(key)("POST", "/mcp", {
        body: { jsonrpc: "2.0", id: 1, method, params },
        headers: { accept: "application/json, text/event-stream" }
      })
      return JSON.parse(/^data: (.*)$/m.exec(text)![1]!).result
    })
    return { call, tool: (name: string, args: Json = {}) => call("tools/call", { name, arguments: args }) }
  }
  return {
    ...service,
    assistant,
    ingest,
    issue,
    newToken,
    as,
    connector,
    token,
    wiki,
    vault,
    shown: shown!,
    hidden: hidden!,
    locked: locked!
  }
})

export const idsOf = (answer: { readonly body: unknown }, list: string): ReadonlyArray<unknown> =>
  (answer.body as { readonly [name: string]: ReadonlyArray<Json> })[list]!.map((item) =>
    item["id"] ?? item["document_id"]
  )
