/** Descriptions and defaults of path and query parameters. */
import type { Json, JsonObject } from "./Json.ts"

const PATH: Readonly<Record<string, string>> = {
  connector_id: "The connector's id.",
  connection_id: "The connection's id.",
  resource: "The resource's name, percent-encoded.",
  document_id: "The document's id.",
  external_id: "The id that the client gave the document, percent-encoded.",
  job_id: "The job's id.",
  webhook_id: "The webhook's id.",
  event_id: "The event's id.",
  question_id: "The question's id.",
  account_id: "The account's id.",
  workspace_id: "The workspace's id.",
  key_id: "The key's id.",
  operator_id: "The operator's id."
}

const QUERY: Readonly<Record<string, string>> = {
  limit: "How many entries a page has.",
  cursor: "Where the page begins: the `next_cursor` of the page before.",
  after: "Only entries after the one with this `sequence`.",
  status: "Only what is in this state.",
  wait: "How many seconds to wait for the job's end before answering.",
  resource: "Only syncs of this resource.",
  days: "How many days, today included.",
  answered: "Only questions that were answered, or only those that were not.",
  before: "Only what was asked before this moment.",
  include_inactive: "Whether deactivated connectors are listed, too.",
  delete_documents: "Whether the documents that came from it are deleted, too.",
  external_id: "Only the document with this id.",
  source:
    "Only what comes from this source: `custom:<source_name>`, `<provider>:<connection_id>`, or what stands before the colon.",
  kind: "Only what is of this kind.",
  document_id: "Only what happened to this document.",
  connector_id: "Only what came through this connector.",
  connection_id: "Only what came through this connection.",
  from: "Only what is of this moment or later: a document by its own time.",
  to: "Only what is of a moment before this one.",
  in_context: "Only documents that lie in the present range of the context, or only those outside of it.",
  q: "Words, each of which stands in a document's title or external id, or anywhere in an entry; ASCII letters in either case.",
  action: "Only these actions, separated by commas; `session` stands for all that begin with `session.`.",
  actor: "Only what the user or key with this id did.",
  subject: "Only what was done to what has this id.",
  export: "Whether the first page leaves an entry that the log was exported.",
  sort: "What to sort by, with `-` from the highest down. A document without a title is sorted by its external id."
}

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

/** A parameter with its description and default. */
export const explained = (parameter: JsonObject): JsonObject => {
  const name = String(parameter["name"])
  if (parameter["in"] === "path") {
    return { ...parameter, description: PATH[name] ?? "", example: TEXTS[name] ?? UUID }
  }
  const schema = parameter["schema"] as JsonObject
  const defaulted = name in DEFAULTS ? { ...schema, default: DEFAULTS[name]! } : schema
  return { ...parameter, description: QUERY[name] ?? "", schema: defaulted }
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
