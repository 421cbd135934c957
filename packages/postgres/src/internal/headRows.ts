/** The head of a context as rows. */
import type { SnapshotId } from "@tributary/core/model/Id"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import type { Head } from "@tributary/core/ports/KnowledgeStore"

export interface HeadColumns {
  readonly settings: string | null
  readonly generation: number
  readonly change_seq: number
  readonly chunk_seq: number
  /** Null, and all that follows with it, when nothing was published. */
  readonly snapshot_id: SnapshotId | null
  readonly snapshot_change_seq: number
  readonly snapshot_chunk_seq: number
  readonly snapshot_generation: number
  readonly snapshot_settings: string
  readonly built_at: Date
  readonly watermark: Date | null
  readonly segments: string
}

export const toHead = (row: HeadColumns | undefined): Head => {
  if (row === undefined) {
    return { settings: DEFAULT_SETTINGS, generation: 0, change_seq: 0, chunk_seq: 0, snapshot: null }
  }
  const { change_seq, chunk_seq, generation, settings } = row
  return {
    settings: settings === null ? DEFAULT_SETTINGS : JSON.parse(settings),
    generation,
    change_seq,
    chunk_seq,
    snapshot: row.snapshot_id === null ? null : {
      snapshot_id: row.snapshot_id,
      change_seq: row.snapshot_change_seq,
      chunk_seq: row.snapshot_chunk_seq,
      generation: row.snapshot_generation,
      settings: JSON.parse(row.snapshot_settings),
      built_at: row.built_at,
      watermark: row.watermark,
      segments: JSON.parse(row.segments)
    }
  }
}
