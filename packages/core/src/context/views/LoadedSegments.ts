/** The loaded segments of all workspaces, limited in bytes; an LRU cache. */
import type { Segment } from "@tributary/retrieval"
import type { WorkspaceId } from "../../model/Id.ts"
import type { SnapshotSegment, Span } from "../../ports/KnowledgeStore.ts"
import { LruCache } from "../LruCache.ts"
import { bytesOf, changedParts, missingSegments, partsIn, type View } from "../View.ts"

interface Loaded {
  readonly workspaceId: WorkspaceId
  /** Null for the tail, which only counts with its size. */
  readonly segmentId: string | null
  readonly segment: Segment | null
  readonly bytes: number
}

const keyOf = (workspaceId: WorkspaceId, segmentId: string | null): string => `${workspaceId}/${segmentId ?? ""}`

export class LoadedSegments {
  readonly #budget: number
  readonly #loaded: LruCache<Loaded>

  /** `evict` is called with the segment, or the workspace's tail, that must be evicted. */
  constructor(budget: number, evict: (workspaceId: WorkspaceId, segmentId: string | null) => void) {
    this.#budget = budget
    this.#loaded = new LruCache(
      budget,
      ({ bytes }) => bytes,
      ({ segmentId, workspaceId }) => evict(workspaceId, segmentId)
    )
  }

  /** How many bytes can be loaded without an eviction. */
  get freeBytes(): number {
    return this.#loaded.freeBytes
  }

  has(workspaceId: WorkspaceId, segmentId: string): boolean {
    return this.#loaded.has(keyOf(workspaceId, segmentId))
  }

  get(workspaceId: WorkspaceId, segmentId: string): Segment | null {
    return this.#loaded.get(keyOf(workspaceId, segmentId))?.segment ?? null
  }

  set(workspaceId: WorkspaceId, segmentId: string, segment: Segment): void {
    const loaded = { workspaceId, segmentId, segment, bytes: segment.byteLength }
    this.#loaded.set(keyOf(workspaceId, segmentId), loaded)
  }

  /** Marks what the view holds of the range as used, so that everything else is evicted first. */
  touch(workspaceId: WorkspaceId, view: View, range: Span): void {
    for (const { segment, segment_id } of partsIn(view, range)) {
      if (segment_id !== null) this.set(workspaceId, segment_id, segment)
    }
    const tail = { workspaceId, segmentId: null, segment: null, bytes: bytesOf(changedParts(view)) }
    this.#loaded.set(keyOf(workspaceId, null), tail)
  }

  /** The segments of the range that the view lacks and that fit beside it into the budget; those in memory come first. */
  admissible(workspaceId: WorkspaceId, view: View, range: Span): ReadonlyArray<SnapshotSegment> {
    const missing = missingSegments(view, range)
    if (missing.length === 0) return missing
    const isLoaded = ({ segment_id }: SnapshotSegment) => this.has(workspaceId, segment_id)
    const stored = partsIn(view, range).filter(({ segment_id }) => segment_id !== null)
    let freeBytes = this.#budget - bytesOf(changedParts(view)) - bytesOf(stored)
    return [...missing.filter(isLoaded), ...missing.filter((segment) => !isLoaded(segment))].filter(({ bytes }) => {
      const fits = bytes <= freeBytes
      if (fits) freeBytes -= bytes
      return fits
    })
  }

  /** Releases all other segments of the workspace. */
  retain(workspaceId: WorkspaceId, segmentIds: ReadonlyArray<string>): void {
    this.#releaseExcept(workspaceId, new Set([null, ...segmentIds].map((segmentId) => keyOf(workspaceId, segmentId))))
  }

  /** Releases everything of the workspace. */
  release(workspaceId: WorkspaceId): void {
    this.#releaseExcept(workspaceId, new Set())
  }

  #releaseExcept(workspaceId: WorkspaceId, kept: ReadonlySet<string>): void {
    for (const key of this.#loaded.keys()) {
      if (key.startsWith(keyOf(workspaceId, null)) && !kept.has(key)) this.#loaded.delete(key)
    }
  }
}
