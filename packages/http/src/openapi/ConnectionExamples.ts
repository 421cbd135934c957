/** Examples of connections and their syncs. */
import { CONNECTION_ID, KEY_ID, MOMENT } from "./ExampleValues.ts"
import type { Example, JsonObject } from "./Json.ts"

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

export const CONNECTION_EXAMPLES: Readonly<Record<string, Example>> = {
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
  }
}
