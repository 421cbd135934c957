/** One request and one answer of every operation of the operator API. */
import type { Example } from "./Examples.ts"
import type { JsonObject } from "./Json.ts"

const ACCOUNT_ID = "f0e1d2c3-b4a5-4968-8778-695a4b3c2d1e"
const WORKSPACE_ID = "2e9d8c7b-6a5f-4e3d-9c2b-1a0f9e8d7c6b"
const KEY_ID = "c4b3a291-8070-4f6e-8d5c-4b3a29180706"
const MOMENT = "2026-02-03T09:30:00.000Z"

const workspace: JsonObject = {
  workspace_id: WORKSPACE_ID,
  name: "Facilities",
  kind: "shared",
  tier: "free",
  created_at: MOMENT
}

const operated: JsonObject = {
  ...workspace,
  account_id: ACCOUNT_ID,
  grandfathered: false,
  suspended: false,
  limits: {
    documents: 50_000,
    storage: 500_000_000,
    doc_size: 10_000_000,
    shared_workspaces: 1,
    snapshots: 1,
    ask: { limit: 30, window_seconds: 60 },
    search: null,
    refresh: { limit: 2, window_seconds: 3_600 }
  }
}

const key: JsonObject = {
  key_id: KEY_ID,
  name: "Import",
  hint: "x9Qa",
  scopes: ["custom_connectors:ingest"],
  created_at: MOMENT,
  created_by: { type: "user", id: "operator" },
  last_used_at: null,
  expires_at: "2027-01-01T00:00:00.000Z",
  revoked_at: null
}

export const OPERATOR_EXAMPLES: Readonly<Record<string, Example>> = {
  createAccount: {
    request: { name: "Example Ltd", email: "office@example.org" },
    answers: { 201: { account_id: ACCOUNT_ID, personal_workspace: { ...workspace, kind: "personal" } } }
  },
  deleteAccount: { answers: { 200: { status: "deleted", account_id: ACCOUNT_ID } } },
  addWorkspace: { request: { account_id: ACCOUNT_ID, name: "Facilities" }, answers: { 201: workspace } },
  listAllWorkspaces: { answers: { 200: { workspaces: [operated], next_cursor: null } } },
  updateWorkspace: {
    request: { limits: { documents: 50_000, ask: { limit: 30, window_seconds: 60 }, search: null } },
    answers: { 200: operated }
  },
  deleteWorkspace: { answers: { 200: { status: "deleted", workspace_id: WORKSPACE_ID } } },
  createApiKey: {
    request: { name: "Import", scopes: ["custom_connectors:ingest"], expires_at: "2027-01-01T00:00:00Z" },
    answers: { 201: { ...key, secret: "pk_live_shown_once_at_creation" } }
  },
  listApiKeys: { answers: { 200: { api_keys: [key] } } },
  revokeApiKey: { answers: { 200: { status: "revoked", key_id: KEY_ID } } },
  createSignInLink: {
    request: { account_id: ACCOUNT_ID, email: "office@example.org" },
    answers: {
      201: {
        url: "https://knowledge.example.org/console/sign-in#token=shown_once_at_creation",
        expires_at: "2026-02-03T09:45:00.000Z",
        user_id: "7d6c5b4a-3928-4716-8504-f3e2d1c0b9a8",
        email: "office@example.org",
        name: "Example Ltd"
      }
    }
  }
}
