/**
 * The lists of segments that a store has read last. A list names every masked document, and never changes, so a store
 * need not read it for every query.
 */
import type { SnapshotId } from "../model/Id.ts"
import type { Snapshot } from "../ports/KnowledgeStore.ts"
import { LruCache } from "./LruCache.ts"

type Segments = Snapshot["segments"]

export interface KnownList {
  readonly snapshot_id: SnapshotId
  readonly segments: Segments
}

interface Entry extends KnownList {
  readonly length: number
}

/** The total length of the lists as JSON, in UTF-16 code units. */
const MAX_LENGTH = 16_000_000

export class KnownSegments {
  readonly #known = new LruCache<Entry>(MAX_LENGTH, ({ length }) => length)

  /** Of the workspace, or whatever else names it. */
  get(key: string): KnownList | null {
    return this.#known.get(key) ?? null
  }

  parse(key: string, snapshot_id: SnapshotId, json: string): Segments {
    const segments: Segments = JSON.parse(json)
    this.#known.set(key, { snapshot_id, segments, length: json.length })
    return segments
  }
}
