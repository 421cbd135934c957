/** A workspace with one connector, and short ways to it. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { field, type Sent, wire } from "./wire.ts"

export type Json = Readonly<Record<string, unknown>>

export const connected = Effect.fnUntraced(function*(connector: Json = {}) {
  const service = yield* wire()
  const created = yield* service.send("POST", "/v1/custom-connectors", {
    body: { name: "Notes", source_name: "notes", ...connector }
  })
  assert.strictEqual(created.status, 201)
  const path = `/v1/custom-connectors/${field<string>(created, "connector_id")}`
  return {
    ...service,
    created,
    path,
    at: (method: string, below: string, sent?: Sent) => service.send(method, path + below, sent),
    ingest: (items: ReadonlyArray<Json>) => service.send("POST", `${path}/ingest/text`, { body: { items } }),
    limit: (limits: Json) =>
      service.operate("PATCH", `/workspaces/${service.workspace.workspace_id}`, { body: { limits } })
  }
})
