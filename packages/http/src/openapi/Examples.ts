/** One request and one response of every operation of the public API, which together form one session. */
import { CONNECTION_EXAMPLES } from "./ConnectionExamples.ts"
import { DOCUMENT_EXAMPLES } from "./DocumentExamples.ts"
import { DOCUMENT_ID, KEY_ID, MOMENT, TEXT, workspace, WORKSPACE_ID } from "./ExampleValues.ts"
import { HISTORY_EXAMPLES } from "./HistoryExamples.ts"
import type { Example, JsonObject } from "./Json.ts"
import { WEBHOOK_EXAMPLES } from "./WebhookExamples.ts"

const CONNECTOR_ID = "5c1d7c1e-2d5a-4d4a-9c59-0b8c4a3b7e21"
const JOB_ID = "7b0c1f52-3f0e-4d0b-8f0e-2f4b8f6f3a10"
const SNAPSHOT_ID = "9a2f6c3d-1e4b-4f7a-b8c9-0d1e2f3a4b5c"

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

export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...CONNECTION_EXAMPLES,
  ...DOCUMENT_EXAMPLES,
  ...HISTORY_EXAMPLES,
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
