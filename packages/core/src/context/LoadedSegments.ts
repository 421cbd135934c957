/** The loaded segments of all workspaces, limited in bytes; an LRU cache. */
import type { Segment } from "@tributary/retrieval"
import type { WorkspaceId } from "../model/Id.ts"
import { LruCache } from "./LruCache.ts"

interface Loaded {
  readonly workspaceId: WorkspaceId
  /** Null for the tail, which only counts with its size. */
  readonly segmentId: string | null
  readonly segment: Segment | null
  readonly bytes: number
}

const keyOf = (workspaceId: WorkspaceId, segmentId: string | null): string => `${workspaceId}/${segmentId ?? ""}`

export class LoadedSegments {
  readonly #loaded: LruCache<Loaded>

  /** `evict` is called with the segment, or the workspace's tail, that must be evicted. */
  constructor(budget: number, evict: (workspaceId: WorkspaceId, segmentId: string | null) => void) {
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

  setTail(workspaceId: WorkspaceId, bytes: number): void {
    this.#loaded.set(keyOf(workspaceId, null), { workspaceId, segmentId: null, segment: null, bytes })
  }

  /** Releases all other segments of the workspace. */
  retain(workspaceId: WorkspaceId, segmentIds: ReadonlyArray<string>): void {
    const kept = new Set([null, ...segmentIds].map((segmentId) => keyOf(workspaceId, segmentId)))
    for (const key of this.#loaded.keys()) {
      if (key.startsWith(keyOf(workspaceId, null)) && !kept.has(key)) this.#loaded.delete(key)
    }
  }
}
