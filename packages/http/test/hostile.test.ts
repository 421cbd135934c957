// Whatever is sent to any operation, the answer is one of those that are documented, and never a 5xx.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api, OperatorApi } from "../src/api/Api.ts"
import { STATUS } from "../src/api/ErrorBody.ts"
import { pathsOf } from "../src/Routes.ts"
import { ADMIN_TOKEN, type Answer, field, wire } from "./support/wire.ts"

/** The same numbers on every run (mulberry32). */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const KEYS = [
  "temporal_settings",
  "start",
  "end",
  "type",
  "days",
  "date",
  "items",
  "external_id",
  "data",
  "text",
  "payload",
  "kind",
  "timestamp",
  "metadata",
  "name",
  "source_name",
  "accepted_kinds",
  "q",
  "query",
  "limit",
  "sources",
  "cursor",
  "scopes",
  "limits",
  "account_id",
  "external_ids",
  "__proto__",
  "constructor",
  "",
  "😀"
]

const LEAVES = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e400",
  "99999999999999999999",
  "\"\"",
  "\"x\"",
  "\"relative\"",
  "\"date\"",
  "\"2025-02-30\"",
  "\"2025-01-01T00:00:00Z\"",
  "\"+275760-09-13T00:00:00Z\"",
  "\"\\ud800\"",
  "\"\\u0000\"",
  "\"page\"",
  "\"api:read\"",
  "\"😀\"",
  `"${"long ".repeat(500)}"`
]

const HOSTILE_IDS = [
  "x",
  "%00",
  "%2F",
  "%F0%9F%98%80",
  "%25",
  "..%2f..",
  "a;b",
  "%E2%80%AE",
  "x".repeat(3_000),
  "%zz",
  "%ff",
  "'"
]

const isDocumented = ({ body, status }: Answer): boolean => {
  if (status < 300) return true
  if (status === 422 && Array.isArray((body as { readonly detail?: unknown } | undefined)?.detail)) return true
  const code = (body as { readonly error_code?: string } | undefined)?.error_code ?? ""
  return status < 500 && Object.hasOwn(STATUS, code) && STATUS[code as keyof typeof STATUS] === status
}

describe("Hostile requests", () => {
  it.effect("are answered as documented", () =>
    Effect.gen(function*() {
      const { operate, send, workspace } = yield* wire({ tier: "pro" })
      const created = yield* send("POST", "/v1/custom-connectors", { body: { name: "n", source_name: "s" } })
      const random = numbers(20_261_121)
      const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)]!
      const json = (depth: number): string => {
        const kind = random()
        if (depth === 0 || kind < 0.3) return pick(LEAVES)
        const parts = Array.from({ length: Math.floor(random() * 4) }, () => json(depth - 1))
        return kind < 0.45
          ? `[${parts.join(",")}]`
          : `{${parts.map((part) => `${JSON.stringify(pick(KEYS))}:${part}`).join(",")}}`
      }
      const mutated = (text: string): string => {
        const at = Math.floor(random() * text.length)
        return text.slice(0, at) + pick(["", "}", "\"", ",", "\\", "\u0000", "[[[["]) + text.slice(at + 1)
      }
      const ids = [field<string>(created, "connector_id"), workspace.workspace_id, ...HOSTILE_IDS]
      const operations = [...pathsOf(Api), ...pathsOf(OperatorApi)]
      const seen = new Set<number>()
      for (let count = 0; count < 3_000; count++) {
        const { method, path } = pick(operations)
        const target = path.replaceAll(/:[a-z_]+/g, () => pick(ids))
        const query = random() < 0.3
          ? `?${pick(["limit", "cursor", "status", "wait", "source"])}=${pick(HOSTILE_IDS)}`
          : ""
        const body = json(4)
        const sent = method === "GET" || method === "DELETE" ? {} : { raw: random() < 0.2 ? mutated(body) : body }
        // Erasing the workspace that all this runs in would end the test early.
        if (method === "DELETE" && path.startsWith("/admin/")) continue
        const answer = yield* (path.startsWith("/admin/")
          ? send(method, target + query, { key: ADMIN_TOKEN, ...sent })
          : send(method, target + query, sent))
        assert.isTrue(isDocumented(answer), `${method} ${target}${query} ${body} -> ${answer.status} ${answer.text}`)
        seen.add(answer.status)
        if (count % 500 === 0) {
          yield* operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body: { suspended: false } })
        }
      }
      assert.includeMembers([...seen], [200, 404, 422])
    }))
})
