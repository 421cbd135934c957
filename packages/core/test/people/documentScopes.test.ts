import { assert, it } from "@effect/vitest"
import { scopesToDelete, scopeToDelete, scopeToRead } from "@tributary/core/documentScopes"
import { sourceOf } from "@tributary/core/model/Connector"

const pushed = { source: sourceOf({ source_name: "notes" }) }
const pulled = { source: "mail" }

it("Pushed documents need the scopes of connectors, pulled ones those of connections", () => {
  assert.deepStrictEqual([pushed, pulled].map(scopeToRead), ["custom_connectors:read", "connections:read"])
  assert.deepStrictEqual([pushed, pulled].map(scopeToDelete), ["custom_connectors:ingest", "connections:write"])
})

it("Documents that are deleted together need the scopes of them all, whatever their order", () => {
  const both = ["custom_connectors:ingest", "connections:write"] as const
  assert.deepStrictEqual(scopesToDelete([pushed, pulled, pushed]), both)
  assert.deepStrictEqual(scopesToDelete([pulled, pushed]), both)
  assert.deepStrictEqual(scopesToDelete([pulled]), ["connections:write"])
  assert.deepStrictEqual(scopesToDelete([]), [])
})
