/** What the examples share, since they form one session. */
import type { JsonObject } from "./Json.ts"

export const CONNECTION_ID = "1f6b9d2c-7e3a-4c58-8d1b-6a9e0c2f4b75"
export const DOCUMENT_ID = "b3d5b1f4-6a3c-4a57-8f0d-55a3b0a9c4d2"
export const KEY_ID = "c4b3a291-8070-4f6e-8d5c-4b3a29180706"
export const WORKSPACE_ID = "2e9d8c7b-6a5f-4e3d-9c2b-1a0f9e8d7c6b"
export const MOMENT = "2026-02-03T09:30:00.000Z"
export const TEXT = "The archive moves to the second floor on 1 March."

export const workspace: JsonObject = {
  workspace_id: WORKSPACE_ID,
  name: "Facilities",
  kind: "shared",
  tier: "free",
  created_at: MOMENT
}
