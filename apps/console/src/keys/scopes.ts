/** What each scope lets a key do, in words, and the sets that most programs need. */
import type { Scope } from "@tributary/core/model/Scope"

export const SCOPES: ReadonlyArray<readonly [Scope, string]> = [
  ["api:read", "Everything that reads: search, ask, documents, status, events, connectors."],
  ["api:write", "Everything that changes: ingest, connectors, settings, workspaces."],
  ["knowledge:read", "Search, ask, and read the settings and state of the knowledge context."],
  ["knowledge:write", "Change the range of the knowledge context and refresh it."],
  ["custom_connectors:read", "List connectors and read their documents."],
  ["custom_connectors:write", "Create, change and deactivate connectors, delete documents."],
  ["custom_connectors:ingest", "Push documents through a connector, and nothing else."],
  ["connections:read", "See the connections to other services and how their syncs stand."],
  ["connections:write", "Make, change and remove connections, and start syncs."],
  ["runtime:read", "Read the events of the workspace, also live."],
  ["audit:read", "Read who did what, and from where. Reading everything does not include this."],
  ["workspaces:read", "List the workspaces of the account."],
  ["workspaces:write", "Make further workspaces, each with a key of its own."]
]

interface Preset {
  readonly name: string
  readonly what: string
  readonly scopes: ReadonlyArray<Scope>
}

export const PRESETS: ReadonlyArray<Preset> = [
  {
    name: "Ask and search",
    what: "For assistants and web sites: reads the knowledge, changes nothing.",
    scopes: ["knowledge:read"]
  },
  {
    name: "Ingest only",
    what: "For jobs that push data: sends documents, reads none.",
    scopes: ["custom_connectors:ingest"]
  },
  { name: "Read everything", what: "For reports and monitoring.", scopes: ["api:read"] },
  { name: "Everything", what: "For your own back end. Keep it on a server.", scopes: ["api:read", "api:write"] }
]
