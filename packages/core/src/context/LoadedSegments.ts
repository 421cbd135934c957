/** The segments of all workspaces that a process holds, as many bytes as it may: those that it used last. */
import type { Segment } from "@tributary/retrieval"
import type { WorkspaceId } from "../model/Id.ts"
import { LruCache } from "./LruCache.ts"

interface Loaded {
  readonly workspaceId: WorkspaceId
  /** Null for the tail, of which no more than the size is told. */
  readonly segmentId: string | null
  readonly segment: Segment | null
  readonly bytes: number
}

const keyOf = (workspaceId: WorkspaceId, segmentId: string | null): string => `${workspaceId}/${segmentId ?? ""}`

export class LoadedSegments {
  readonly #loaded: LruCache<Loaded>

  /** `forget` is told which segment, or which workspace's tail, has to make freeBytes. */
  constructor(budget: number, forget: (workspaceId: WorkspaceId, segmentId: string | null) => void) {
    this.#loaded = new LruCache(
      budget,
      ({ bytes }) => bytes,
      ({ segmentId, workspaceId }) => forget(workspaceId, segmentId)
    )
  }

  /** How many bytes more may be loaded without letting go of any. */
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

  /** Releases all segments of the workspace but these. */
  retain(workspaceId: WorkspaceId, segmentIds: ReadonlyArray<string>): void {
    const kept = new Set([null, ...segmentIds].map((segmentId) => keyOf(workspaceId, segmentId)))
    for (const key of this.#loaded.keys()) {
      if (key.startsWith(keyOf(workspaceId, null)) && !kept.has(key)) this.#loaded.delete(key)
    }
  }
}
