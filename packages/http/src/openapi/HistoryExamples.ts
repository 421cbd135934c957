/** Examples of the operations about the past. */
import { CONNECTION_ID, DOCUMENT_ID, KEY_ID, MOMENT, WORKSPACE_ID } from "./ExampleValues.ts"
import type { Example, JsonObject } from "./Json.ts"

const QUESTION_ID = "0199d3a0-5b7e-7c2f-9a31-3f1f0c6f2f55"

const question: JsonObject = {
  question_id: QUESTION_ID,
  query: "When does the archive move?",
  answered: true,
  model: "extractive",
  sources: ["custom:notes"],
  documents: [DOCUMENT_ID],
  duration_ms: 14,
  asked_at: MOMENT,
  principal: { type: "api_key", id: KEY_ID },
  feedback: null
}

export const HISTORY_EXAMPLES: Readonly<Record<string, Example>> = {
  listQuestions: { answers: { 200: { questions: [question], next_cursor: null } } },
  rateQuestion: {
    request: { useful: false, comment: "The archive has moved already." },
    answers: {
      200: {
        ...question,
        feedback: { useful: false, comment: "The archive has moved already.", given_at: MOMENT }
      }
    }
  },
  deleteQuestions: { answers: { 200: { status: "deleted", questions_deleted: 12 } } },
  deleteQuestion: { answers: { 200: { status: "deleted", question_id: QUESTION_ID } } },
  listSyncRuns: {
    answers: {
      200: {
        runs: [{
          run_id: "0199d3a0-6c1e-7a40-8b52-5d0a7c3e9f11",
          connection_id: CONNECTION_ID,
          resource: "INBOX",
          status: "completed",
          started_at: MOMENT,
          ended_at: "2026-02-03T09:30:42.000Z",
          items_ingested: 9_217,
          items_deleted: 0,
          deletions_held: 0,
          left_out: [{ reason: "The attachment is encrypted.", items: 1, external_ids: ["INBOX/811"] }],
          error: null,
          next_attempt_at: "2026-02-03T09:45:42.000Z"
        }],
        next_cursor: null
      }
    }
  },
  listAuditLog: {
    answers: {
      200: {
        entries: [{
          entry_id: "0199d3a0-7d2f-7b51-9c63-6e1b8d4f0a22",
          action: "api_key.created",
          actor: { type: "user", id: "0199d39f-1a2b-7c3d-8e4f-5a6b7c8d9e0f" },
          workspace_id: WORKSPACE_ID,
          subject: KEY_ID,
          details: { name: "Web site", scopes: "knowledge:read" },
          address: "192.0.2.7",
          created_at: MOMENT
        }],
        next_cursor: null
      }
    }
  },
  getUsageHistory: {
    answers: {
      200: {
        workspace_id: WORKSPACE_ID,
        days: [{
          day: "2026-02-03",
          documents: 1,
          storage: 49,
          operations: [{
            operation: "POST /v1/knowledge/search",
            requests: 320,
            refusals: { rate_limit_exceeded: 4 },
            p50_ms: 3.4,
            p95_ms: 11.8
          }]
        }]
      }
    }
  }
}
