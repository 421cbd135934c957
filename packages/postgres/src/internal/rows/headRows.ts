/** The head of a context as rows. */
import type { SnapshotId } from "@tributary/core/model/Id"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import { type Head, NO_HEAD } from "@tributary/core/ports/KnowledgeStore"
import type { KnownList, KnownSegments } from "@tributary/core/KnownSegments"
import type { SqlClient } from "effect/sql"

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
  /** Null, too, if it is the known list. */
  readonly segments: string | null
}

/** Of the head `h`. The list of segments is not sent if it is known. */
export const headColumns = (sql: SqlClient.SqlClient, known: KnownList | null) =>
  sql`h.settings, h.generation, h.change_seq, h.chunk_seq, h.snapshot_id, h.snapshot_change_seq, h.snapshot_chunk_seq,
    h.snapshot_generation, h.snapshot_settings, h.built_at, h.watermark,
    CASE WHEN h.snapshot_id = ${known?.snapshot_id ?? null}::text THEN NULL ELSE h.segments END AS segments`

type Segments = NonNullable<Head["snapshot"]>["segments"]

/** The list that was sent, or the known one. */
export const segmentsIn =
  (lists: KnownSegments, key: string, known: KnownList | null) => ({ segments, snapshot_id }: HeadColumns): Segments =>
    segments === null || snapshot_id === null ? known?.segments ?? [] : lists.parse(key, snapshot_id, segments)

const parsed = ({ segments }: HeadColumns): Segments => JSON.parse(segments ?? "[]")

export const toHead = (row: HeadColumns | undefined, segmentsOf = parsed): Head => {
  if (row === undefined) return NO_HEAD
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
      segments: segmentsOf(row)
    }
  }
}
