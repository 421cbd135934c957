/** Descriptions of the fields of connections and syncs. */
import { PRINCIPAL, type Words } from "./Words.ts"

const SYNC_CONFIG: Words = {
  start: "How far back a sync reaches. Null: everything.",
  interval_minutes: "Minutes between two syncs."
}

const SYNC_CONFIG_FIELDS: Words = Object.fromEntries(
  Object.entries(SYNC_CONFIG).map(([path, words]) => [`sync_config.${path}`, words])
)

export const CONNECTION_FIELDS: Readonly<Record<string, Words>> = {
  Provider: {
    provider: "The name by which connections and filters refer to it.",
    name: "What people call it.",
    resources: "Those that every connection of it has. Most providers name them once they are connected.",
    config_schema: "JSON Schema of `config`. Fields that are `writeOnly` are secrets.",
    sync_config_schema: "JSON Schema of `sync_config`, with what holds by default."
  },
  SyncConfig: SYNC_CONFIG,
  RewrapSecretsResponse: {
    rewrapped: "How many connections' secrets were encrypted with the first key now.",
    current: "How many were before.",
    unreadable: "How many none of the server's keys can read; they stay as they are."
  },
  Connection: {
    ...PRINCIPAL,
    provider: "What kind of source it is.",
    config: "What the provider was told, without secrets.",
    sync_config: "How far back and how often it is pulled.",
    resources: "What is pulled from it: folders, calendars, branches.",
    connected_at: "When it was made.",
    status: "`error`: it is not pulled until somebody has seen to it.",
    error: "What is wrong, in a sentence. Null: nothing that needs anybody."
  },
  CreateConnectionRequest: {
    provider: "One of those that the server offers.",
    config: "What the provider has to know; its `config_schema` tells what.",
    sync_config: "How far back and how often to pull. Absent: as the provider has it by default.",
    ...SYNC_CONFIG_FIELDS
  },
  UpdateConnectionRequest: {
    name: "The new name. Absent or null: as it is.",
    config: "Replaces the old one. Absent or null: as it is.",
    sync_config: "How far back and how often to pull. What is absent stays as it is.",
    status: "`paused` stops the pulling, `active` takes it up again.",
    ...SYNC_CONFIG_FIELDS
  },
  StartSyncRequest: {
    sync_config: "Holds from this sync on. What is absent stays as it is.",
    ...SYNC_CONFIG_FIELDS
  },
  SyncRun: {
    run_id: "The sync's id.",
    resource: "What was pulled: a folder, a calendar, a branch.",
    status: "How it ended.",
    started_at: "When it began.",
    ended_at: "When it ended.",
    items_ingested: "How many items were new or had changed.",
    items_deleted: "How many documents were deleted because they are gone at the source.",
    deletions_held: "How many are gone at the source and kept here until that is confirmed.",
    left_out: "What this sync did not take in, by reason, the most frequent first.",
    error: "What went wrong, in a sentence. Null: nothing.",
    next_attempt_at: "When the next sync was due by itself. Null: at no time."
  },
  LeftOutItems: {
    reason: "Why, in a sentence.",
    items: "How many items.",
    external_ids: "The first five of them."
  },
  ListSyncRunsResponse: { runs: "Newest first." },
  SyncState: {
    resource: "What is pulled: a folder, a calendar, a branch.",
    status: "How the present or the last sync stands.",
    total_windows: "In how many parts it comes. Grows as more is known.",
    completed_windows: "How many of them are stored.",
    items_ingested: "How many items were new or had changed, in this sync or the last.",
    items_deleted: "How many documents were deleted because they are gone at the source.",
    documents: "How many documents of it were stored when its last sync ended. Null: none has ended yet.",
    deletions_held: "How many are gone at the source and kept here until that is confirmed.",
    rejected: "What did not fit under the plan's caps: the first 100.",
    "rejected.resource": "Which cap was hit.",
    skipped: "What could not be taken: the first 100.",
    "skipped.reason": "Why, in a sentence.",
    last_synced_at: "When it last came to its end. Null: never.",
    error: "What went wrong, in a sentence. Null: nothing.",
    attempt: "How many attempts since it last came to its end.",
    updated_at: "When this was noted."
  }
}
