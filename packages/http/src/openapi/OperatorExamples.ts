/** One request and one answer of every operation of the operator API. */
import { KEY_ID, MOMENT, workspace, WORKSPACE_ID } from "./ExampleValues.ts"
import type { Example, JsonObject } from "./Json.ts"

const ACCOUNT_ID = "f0e1d2c3-b4a5-4968-8778-695a4b3c2d1e"
const OPERATOR_ID = "0f1e2d3c-4b5a-4697-8879-6a5b4c3d2e1f"

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

const operator: JsonObject = {
  operator_id: OPERATOR_ID,
  name: "Ada",
  hint: "x9Qa",
  scopes: ["operator:read", "operator:write"],
  created_at: MOMENT,
  expires_at: "2027-01-01T00:00:00.000Z"
}

const entry: JsonObject = {
  sequence: 2,
  at: MOMENT,
  operator: { operator_id: OPERATOR_ID, name: "Ada" },
  action: "deleteAccount",
  outcome: "done",
  subject: { account_id: ACCOUNT_ID },
  request: null,
  request_id: "1c2b3a49-5867-4f76-8594-a3b2c1d0e9f8",
  address: "192.0.2.7",
  previous_hash: "5d41402abc4b2a76b9719d911017c592ae2f1c9b0d3e4f5a6b7c8d9e0f1a2b3c",
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
}

export const OPERATOR_EXAMPLES: Readonly<Record<string, Example>> = {
  createAccount: {
    request: { name: "Example Ltd", email: "office@example.org" },
    answers: { 201: { account_id: ACCOUNT_ID, personal_workspace: { ...workspace, kind: "personal" } } }
  },
  deleteAccount: { answers: { 200: { status: "deleted", account_id: ACCOUNT_ID } } },
  setAccountOwner: {
    request: { email: "office@example.org" },
    answers: { 200: { status: "set", user_id: "7d6c5b4a-3928-4716-8504-f3e2d1c0b9a8", email: "office@example.org" } }
  },
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
  createOperator: {
    request: { name: "Ada", scopes: ["operator:read", "operator:write"], expires_at: "2027-01-01T00:00:00Z" },
    answers: { 201: { ...operator, token: "op_live_shown_once_at_creation" } }
  },
  listOperators: { answers: { 200: { operators: [operator] } } },
  revokeOperator: { answers: { 200: { status: "revoked", operator_id: OPERATOR_ID } } },
  readOperatorLog: { answers: { 200: { entries: [entry], next_cursor: null } } },
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
  },
  rewrapSecrets: { answers: { 200: { rewrapped: 12, current: 3, unreadable: 0 } } }
}
