/** One request and one response of every operation of the public API, which together form one session. */
import { CONNECTION_ID, DOCUMENT_ID, KEY_ID, MOMENT, workspace, WORKSPACE_ID } from "./ExampleValues.ts"
import { HISTORY_EXAMPLES } from "./HistoryExamples.ts"
import type { Example, Json, JsonObject } from "./Json.ts"
import { WEBHOOK_EXAMPLES } from "./WebhookExamples.ts"

const CONNECTOR_ID = "5c1d7c1e-2d5a-4d4a-9c59-0b8c4a3b7e21"
const JOB_ID = "7b0c1f52-3f0e-4d0b-8f0e-2f4b8f6f3a10"
const SNAPSHOT_ID = "9a2f6c3d-1e4b-4f7a-b8c9-0d1e2f3a4b5c"
const TEXT = "The archive moves to the second floor on 1 March."

const settings = {
  temporal_settings: { start: { type: "date", date: "2025-01-01" }, end: { type: "relative", days: 365 } }
}

const connector: JsonObject = {
  connector_id: CONNECTOR_ID,
  name: "Notes",
  source_name: "notes",
  created_at: MOMENT,
  created_by: { type: "api_key", id: KEY_ID },
  is_active: true,
  accepted_kinds: [],
  metadata: { team: "facilities" }
}

const connection: JsonObject = {
  connection_id: CONNECTION_ID,
  provider: "imap",
  name: "Front desk",
  config: { host: "mail.example.com", username: "desk@example.com" },
  sync_config: { start: { type: "relative", days: 365 }, interval_minutes: 15 },
  resources: ["INBOX"],
  connected_at: MOMENT,
  created_by: { type: "api_key", id: KEY_ID },
  status: "active",
  error: null
}

const syncState: JsonObject = {
  connection_id: CONNECTION_ID,
  resource: "INBOX",
  status: "running",
  total_windows: 12,
  completed_windows: 5,
  items_ingested: 4_318,
  items_deleted: 0,
  documents: null,
  deletions_held: 0,
  rejected: [],
  skipped: [{ external_id: "INBOX/811", reason: "The attachment is encrypted." }],
  last_synced_at: null,
  error: null,
  attempt: 1,
  updated_at: MOMENT
}

const provider: JsonObject = {
  provider: "imap",
  name: "Mail (IMAP)",
  resources: [],
  config_schema: {
    type: "object",
    properties: {
      host: { type: "string", description: "The mail server." },
      username: { type: "string", description: "Who signs in." },
      password: { type: "string", description: "The password.", format: "password", writeOnly: true }
    },
    required: ["host", "username", "password"],
    additionalProperties: false
  },
  sync_config_schema: {
    type: "object",
    properties: {
      interval_minutes: {
        type: "integer",
        description: "Minutes between two syncs.",
        minimum: 1,
        maximum: 43_200,
        default: 15
      }
    },
    additionalProperties: false
  }
}

const document: JsonObject = {
  document_id: DOCUMENT_ID,
  external_id: "note-1",
  source: "custom:notes",
  kind: "custom",
  title: "The archive",
  url: null,
  size: 49,
  timestamp: MOMENT,
  ends_at: null,
  metadata: { team: "facilities" },
  created_at: MOMENT,
  updated_at: MOMENT,
  in_context: true
}

const fullDocument: JsonObject = { ...document, text: TEXT, payload: null }

const ingested = (external_id: string): JsonObject => ({
  status: "accepted",
  events: 1,
  external_ids: [external_id],
  rejected: [],
  items: [{ external_id, document_id: DOCUMENT_ID, status: "created" }]
})

const answer: JsonObject = {
  response: `${TEXT} [1]`,
  citations: [{
    type: "custom",
    entity: {
      id: DOCUMENT_ID,
      external_id: "note-1",
      source: "custom:notes",
      title: "The archive",
      url: null,
      timestamp: MOMENT,
      marker: 1,
      quote: TEXT,
      start: 0,
      end: 49
    }
  }],
  truncated: false,
  answered: true,
  snapshot: SNAPSHOT_ID,
  model: "extractive"
}

const queuedJob: JsonObject = {
  job_id: JOB_ID,
  status: "queued",
  query: "When does the archive move?",
  created_at: MOMENT,
  started_at: null,
  finished_at: null,
  attempt: 0,
  error: null
}

const endedJob: JsonObject = {
  ...queuedJob,
  status: "succeeded",
  started_at: MOMENT,
  finished_at: "2026-02-03T09:30:01.000Z",
  attempt: 1
}

const issuedKey: JsonObject = {
  key_id: KEY_ID,
  name: "Facilities",
  hint: "x9Qa",
  scopes: ["api:read", "api:write"],
  created_at: MOMENT,
  created_by: { type: "api_key", id: KEY_ID },
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  secret: "pk_live_shown_once_at_creation"
}

const typedItem: JsonObject = {
  external_id: "ticket-7",
  timestamp: "2026-02-03T10:30:00+01:00",
  payload: { kind: "issue", key: "ARCH-7", title: "Move the archive", state: "open" }
}

const text = (items: ReadonlyArray<Json>): JsonObject => ({ items })

export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...WEBHOOK_EXAMPLES,
  getSettings: { answers: { 200: settings } },
  updateSettings: { request: settings, answers: { 200: settings } },
  getStatus: {
    answers: {
      200: {
        loaded: true,
        up_to_date: true,
        latest_snapshot: SNAPSHOT_ID,
        latest_built_at: MOMENT,
        loaded_snapshot: SNAPSHOT_ID,
        evidence_watermark: MOMENT,
        state: "ready",
        progress: null,
        pending_documents: 0,
        error: null
      }
    }
  },
  refresh: {
    request: { delete_old_snapshots: true },
    answers: { 200: { task_id: JOB_ID, status: "queued", run_id: 4, snapshots_deleted: 1 } }
  },
  search: {
    request: { q: "archive", limit: 5, sources: ["custom:notes"] },
    answers: {
      200: {
        count: 1,
        results: [{
          id: DOCUMENT_ID,
          evidence_type: "custom",
          score: 1.42,
          snippet: TEXT,
          timestamp: MOMENT,
          external_id: "note-1",
          source: "custom:notes",
          title: "The archive",
          url: null,
          metadata: { team: "facilities" },
          in_context: true,
          highlights: [[4, 11]]
        }],
        next_cursor: null,
        warnings: []
      }
    }
  },
  ask: {
    request: { query: "When does the archive move?", timezone: "Europe/Paris" },
    answers: { 200: answer, 202: queuedJob }
  },
  listAskJobs: { answers: { 200: { jobs: [endedJob], next_cursor: null } } },
  getAskJob: { answers: { 200: { ...endedJob, result: answer } } },
  cancelAskJob: { answers: { 200: { ...queuedJob, status: "cancelled", finished_at: MOMENT } } },
  createConnector: {
    request: { name: "Notes", source_name: "notes", metadata: { team: "facilities" } },
    answers: { 201: connector }
  },
  listConnectors: { answers: { 200: [connector] } },
  getConnector: { answers: { 200: connector } },
  updateConnector: { request: { name: "Meeting notes" }, answers: { 200: { ...connector, name: "Meeting notes" } } },
  deactivateConnector: { answers: { 200: { status: "deactivated", connector_id: CONNECTOR_ID } } },
  listProviders: { answers: { 200: [provider] } },
  listConnections: { answers: { 200: [connection] } },
  createConnection: {
    request: {
      provider: "imap",
      name: "Front desk",
      config: { host: "mail.example.com", username: "desk@example.com", password: "a long password" },
      sync_config: { start: { type: "relative", days: 365 }, interval_minutes: 15 }
    },
    answers: { 201: connection }
  },
  getConnection: { answers: { 200: connection } },
  updateConnection: { request: { status: "paused" }, answers: { 200: { ...connection, status: "paused" } } },
  deleteConnection: { answers: { 200: { status: "deleted", connection_id: CONNECTION_ID } } },
  listSyncStates: { answers: { 200: [syncState] } },
  startSync: {
    request: { sync_config: { start: null } },
    answers: { 200: [{ ...syncState, status: "pending", total_windows: 0, completed_windows: 0, items_ingested: 0 }] }
  },
  cancelSync: { answers: { 200: { ...syncState, status: "cancelled" } } },
  confirmDeletions: {
    answers: { 200: { ...syncState, status: "completed", completed_windows: 12, items_deleted: 96, documents: 9_121 } }
  },
  ingestJson: {
    request: text([{
      external_id: "order-12",
      data: { customer: "A. Example", note: "Deliver to the second floor." }
    }]),
    answers: { 200: ingested("order-12") }
  },
  ingestText: {
    request: text([{ external_id: "note-1", text: TEXT, title: "The archive" }]),
    answers: { 200: ingested("note-1") }
  },
  ingestTyped: { request: text([typedItem]), answers: { 200: ingested("ticket-7") } },
  ingestFile: {
    request: { file: "(the bytes of a file)", kind: "page", external_id: "handbook" },
    answers: { 200: ingested("handbook") }
  },
  listDocuments: { answers: { 200: { documents: [document], next_cursor: null } } },
  getConnectorDocument: { answers: { 200: fullDocument } },
  deleteConnectorDocument: { answers: { 200: { status: "deleted", external_id: "note-1" } } },
  deleteConnectorDocuments: {
    request: { external_ids: ["note-1", "note-2"] },
    answers: { 200: { status: "deleted", external_ids: ["note-1"] } }
  },
  browseDocuments: { answers: { 200: { documents: [document], next_cursor: null, total: 1 } } },
  deleteDocuments: {
    request: { filter: { source: "custom:notes", to: "2025-01-01T00:00:00Z" }, confirm_total: 1 },
    answers: { 200: { status: "deleted", deleted: 1, document_ids: [DOCUMENT_ID] } }
  },
  getDocument: { answers: { 200: fullDocument } },
  deleteDocument: { answers: { 200: { status: "deleted", document_id: DOCUMENT_ID, external_id: "note-1" } } },
  listEvents: {
    answers: {
      200: {
        events: [{
          event_id: "d1c2b3a4-5968-4776-8594-a3b2c1d0e9f8",
          type: "document.created",
          source: "custom:notes",
          kind: "custom",
          external_id: "note-1",
          document_id: DOCUMENT_ID,
          timestamp: MOMENT,
          created_at: MOMENT,
          metadata: { team: "facilities" }
        }],
        next_cursor: null
      }
    }
  },
  getUsage: {
    answers: {
      200: {
        workspace_id: WORKSPACE_ID,
        entitlements: {
          tier: "free",
          documents: { used: 1, limit: 10_000, fraction_used: 0.0001, state: "ok" },
          storage: { used: 49, limit: 500_000_000, fraction_used: 0.000000098, state: "ok" }
        },
        rate_limits: { ask: { limit: 5, window_seconds: 60, remaining: 4, reset: 41 } },
        scopes: ["api:read"]
      }
    }
  },
  ...HISTORY_EXAMPLES,
  createToken: {
    request: {
      scopes: ["knowledge:read"],
      expires_in: 3_600,
      filter: { sources: ["custom:notes"], metadata: { team: "facilities" } }
    },
    answers: { 201: { token: `tk_live_eyJrZXlfaWQiOi.${"A".repeat(43)}`, expires_at: "2026-02-03T10:30:00.000Z" } }
  },
  createWorkspace: { request: { name: "Facilities" }, answers: { 201: { ...workspace, api_key: issuedKey } } },
  listWorkspaces: { answers: { 200: { workspaces: [workspace], next_cursor: null } } }
}
