/** Settings, snapshots and segments of each workspace's knowledge context. */
import { Context, type Option } from "effect"
import type { SnapshotId, WorkspaceId } from "../model/Id.ts"
import { DEFAULT_SETTINGS, type KnowledgeSettings } from "../model/KnowledgeSettings.ts"
import type { FencingToken, NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

/** In milliseconds, both ends included. */
export interface Span {
  /** The earliest start of a document. */
  readonly from: number
  /** The latest end of a document. */
  readonly to: number
}

export interface SnapshotSegment {
  /** Unique for each build, so that a build that lost its lease overwrites nothing. */
  readonly segment_id: string
  readonly chunks: number
  readonly bytes: number
  /** The numbers of the segment's documents that are deleted or replaced. */
  readonly masked: ReadonlyArray<number>
  /** The time range of all its documents; absent if it is unknown. */
  readonly span?: Span
  /** Present if its bytes contain text that is deleted or replaced. Stored snapshots have this name. */
  readonly hiding?: MaskedText
  /** Present if this is not a segment but the vectors of a segment's chunks. */
  readonly vectors?: VectorsOf
}

export interface MaskedText {
  /** Since when, in milliseconds. */
  readonly since: number
  /** It contains nothing that was deleted up to this `change_seq`. */
  readonly after: number
}

export interface VectorsOf {
  /** The segment whose chunks the vectors belong to. It may be gone; its vectors are then reused by later segments. */
  readonly segment_id: string
  readonly model: string
  readonly dimensions: number
  /** The number of chunks without a vector. */
  readonly missing: number
}

/** A finished build: everything stored as of `change_seq`. Of what changed since it may have the former version, or none. */
export interface Snapshot {
  readonly snapshot_id: SnapshotId
  readonly change_seq: number
  /** The workspace's `chunk_seq` as of `change_seq`, or slightly less. */
  readonly chunk_seq: number
  /** The settings for which it was built. */
  readonly generation: number
  readonly settings: KnowledgeSettings
  readonly built_at: Date
  /** The latest document timestamp in it. */
  readonly watermark: Date | null
  readonly segments: ReadonlyArray<SnapshotSegment>
}

/** What a segment masks; for segments of an earlier release, without the time. */
export const maskedTextOf = ({ hiding, masked }: SnapshotSegment): MaskedText | null =>
  hiding ?? (masked.length > 0 ? { since: 0, after: 0 } : null)

const allMasked = ({ segments }: Snapshot): ReadonlyArray<MaskedText> =>
  segments.flatMap((segment) => maskedTextOf(segment) ?? [])

/** Since when bytes of the snapshot contain masked text; null if they do not. */
export const maskedSince = (snapshot: Snapshot): Date | null => {
  const all = allMasked(snapshot)
  return all.length === 0 ? null : new Date(Math.min(...all.map(({ since }) => since)))
}

/** The snapshot's bytes contain nothing that was deleted up to this `change_seq`. */
export const purgedSeq = (snapshot: Snapshot): number =>
  Math.min(snapshot.change_seq, ...allMasked(snapshot).map(({ after }) => after))

/** The state of a workspace's context. */
export interface Head {
  readonly settings: KnowledgeSettings
  /** Increases with every change of settings; 0 before the first. */
  readonly generation: number
  readonly change_seq: number
  /** Counts the chunks of everything that was ever stored, like `change_seq` counts changes. */
  readonly chunk_seq: number
  readonly snapshot: Snapshot | null
}

/** Of a workspace without settings or documents. */
export const NO_HEAD: Head = { settings: DEFAULT_SETTINGS, generation: 0, change_seq: 0, chunk_seq: 0, snapshot: null }

export class KnowledgeStore extends Context.Service<KnowledgeStore, {
  /** Also for a workspace without settings or documents. */
  head(workspaceId: WorkspaceId): Stored<Head>
  /** The number of changed documents after this `change_seq`. Takes time in proportion to it. */
  countPending(workspaceId: WorkspaceId, since: number): Stored<number>
  /**
   * Replaces the settings, or keeps them if null. Increments `generation`, and replaces all waiting and running builds
   * by `rebuild`.
   */
  configure(workspaceId: WorkspaceId, settings: KnowledgeSettings | null, rebuild: NewJob): Stored<Head>
  /** The next number of the workspace's refreshes, from 1. */
  nextRun(workspaceId: WorkspaceId): Stored<number>
  /** Stores the bytes of a segment under its id. */
  putSegment(workspaceId: WorkspaceId, segmentId: string, bytes: Uint8Array): Stored<void>
  /** None if it was deleted because a newer snapshot was published. */
  getSegment(workspaceId: WorkspaceId, segmentId: string): Stored<Option.Option<Uint8Array>>
  /**
   * Publishes `snapshot` if `previous` is still published (null: none was), the generation is current, `change_seq`
   * does not decrease, all named segments are stored, and the given job still holds its lease. Returns whether it did.
   * `keep` is the number of rebuilds to keep, including the published one; of the others only those stay whose bytes
   * contain nothing that was deleted, as of `snapshot` (`purgedSeq`). Segments that no kept snapshot names are deleted.
   * A refresh (`replaces: true`) replaces the previous snapshot.
   */
  publish(workspaceId: WorkspaceId, snapshot: Snapshot, options: {
    readonly previous: SnapshotId | null
    readonly replaces: boolean
    readonly keep: number
    readonly fencingToken?: FencingToken
  }): Stored<boolean>
  /** Deletes all snapshots except the published one, with segments that only they name. Returns their number. */
  dropOldSnapshots(workspaceId: WorkspaceId): Stored<number>
  /** By id, after the given one: workspaces whose published snapshot contains masked text since before `before`. */
  withMaskedText(before: Date, options: {
    readonly after: WorkspaceId | null
    readonly limit: number
  }): Stored<ReadonlyArray<WorkspaceId>>
  /** Deletes segments that a build wrote and no snapshot names. */
  dropSegments(workspaceId: WorkspaceId, segmentIds: ReadonlyArray<string>): Stored<void>
}>()("@tributary/core/ports/KnowledgeStore") {}
