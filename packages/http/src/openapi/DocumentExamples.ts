/** Examples of documents: pushed, listed, read and deleted, and their events. */
import { DOCUMENT_ID, MOMENT, TEXT } from "./ExampleValues.ts"
import type { Example, Json, JsonObject } from "./Json.ts"

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

const typedItem: JsonObject = {
  external_id: "ticket-7",
  timestamp: "2026-02-03T10:30:00+01:00",
  payload: { kind: "issue", key: "ARCH-7", title: "Move the archive", state: "open" }
}

const text = (items: ReadonlyArray<Json>): JsonObject => ({ items })

export const DOCUMENT_EXAMPLES: Readonly<Record<string, Example>> = {
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
  }
}
