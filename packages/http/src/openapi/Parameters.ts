/** Defaults of query parameters and bodies, and examples of path parameters. */
import { DESCRIPTIONS } from "./Descriptions.ts"
import type { Json, JsonObject } from "./Json.ts"

const DEFAULTS: Readonly<Record<string, Json>> = {
  limit: 20,
  sort: "-timestamp",
  wait: 0,
  days: 30,
  include_inactive: false,
  export: false,
  delete_documents: false
}

const TEXTS: Readonly<Record<string, string>> = { external_id: "ticket-7", resource: "INBOX" }

const UUID = "5c1d7c1e-2d5a-4d4a-9c59-0b8c4a3b7e21"

/** A parameter with its description, and its default or an example. */
export const explained = (parameter: JsonObject, operation: string): JsonObject => {
  const name = String(parameter["name"])
  const description = DESCRIPTIONS.operations[operation]?.parameters[name] ?? ""
  if (parameter["in"] === "path") return { ...parameter, description, example: TEXTS[name] ?? UUID }
  const schema = parameter["schema"] as JsonObject
  const defaulted = name in DEFAULTS ? { ...schema, default: DEFAULTS[name]! } : schema
  return { ...parameter, description, schema: defaulted }
}

const SEARCH: JsonObject = {
  limit: 10,
  mode: "hybrid",
  group_by: "document",
  include_evidence: false
}

const BODIES: Readonly<Record<string, JsonObject>> = {
  search: SEARCH,
  ask: { timezone: "UTC", async: false },
  refresh: { delete_old_snapshots: false },
  createConnector: { accepted_kinds: [], metadata: {} },
  ingestFile: { kind: "page" },
  createAccount: { tier: "free" }
}

/** A request body's schema with the defaults of its fields. */
export const withDefaults = (operation: string, body: JsonObject): JsonObject => {
  const defaults = BODIES[operation]
  const properties = body["properties"] as JsonObject | undefined
  if (defaults === undefined || properties === undefined) return body
  const stated = Object.entries(properties).map(([name, schema]) => [
    name,
    name in defaults ? { ...(schema as JsonObject), default: defaults[name]! } : schema
  ])
  return { ...body, properties: Object.fromEntries(stated) }
}
