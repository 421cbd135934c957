/** Settings, snapshots and segments of each workspace's knowledge context. */
import { Context, type Option } from "effect"
import type { JobId, SnapshotId, WorkspaceId } from "../model/Id.ts"
import type { KnowledgeSettings } from "../model/KnowledgeSettings.ts"
import type { NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

/** In milliseconds, both ends included. */
export interface Span {
  /** The earliest moment at which a document begins. */
  readonly from: number
  /** The latest moment at which one ends. */
  readonly to: number
}

export interface SnapshotSegment {
  /** Unique for each build, so that a build that lost its lease overwrites nothing. */
  readonly segment_id: string
  readonly chunks: number
  readonly bytes: number
  /** Numbers of the segment's documents that are deleted or replaced. */
  readonly masked: ReadonlyArray<number>
  /** All its documents lie in this stretch of time; absent where that is not known. */
  readonly span?: Span
  /** Present where its bytes hold text that is deleted or replaced. */
  readonly hiding?: Hiding
  /** Present where this is no segment of the index but the vectors of one's chunks. */
  readonly vectors?: VectorsOf
}

export interface Hiding {
  /** The moment since which it does so, in milliseconds. */
  readonly since: number
  /** Nothing is among it that was deleted up to this `change_seq`. */
  readonly after: number
}

export interface VectorsOf {
  /** The id of the segment whose chunks they are of; it may be gone, and then its vectors serve those that follow. */
  readonly segment_id: string
  readonly model: string
  readonly dimensions: number
  /** How many chunks still lack one. */
  readonly missing: number
}

/** One finished build: everything stored as of `change_seq`, and perhaps some of what came later. */
export interface Snapshot {
  readonly snapshot_id: SnapshotId
  readonly change_seq: number
  /** The workspace's `chunk_seq` as of `change_seq`, or a little less. */
  readonly chunk_seq: number
  /** The settings that it was built for. */
  readonly generation: number
  readonly settings: KnowledgeSettings
  readonly built_at: Date
  /** The latest document timestamp in it. */
  readonly watermark: Date | null
  readonly segments: ReadonlyArray<SnapshotSegment>
}

/** What a segment hides, of those that an earlier release published, too: there, nobody knows since when. */
export const hidingOf = ({ hiding, masked }: SnapshotSegment): Hiding | null =>
  hiding ?? (masked.length > 0 ? { since: 0, after: 0 } : null)

const hidden = ({ segments }: Snapshot): ReadonlyArray<Hiding> => segments.flatMap((segment) => hidingOf(segment) ?? [])

/** The moment since which bytes of the snapshot hold text that it hides; null where none do. */
export const hidingSince = (snapshot: Snapshot): Date | null => {
  const all = hidden(snapshot)
  return all.length === 0 ? null : new Date(Math.min(...all.map(({ since }) => since)))
}

/** What was deleted up to this `change_seq` stands nowhere in the snapshot's bytes. */
export const purgedSeq = (snapshot: Snapshot): number =>
  Math.min(snapshot.change_seq, ...hidden(snapshot).map(({ after }) => after))

/** What a build runs under. */
export interface Tenure {
  readonly job_id: JobId
  readonly lease: string
}

/** Where a workspace's context stands. */
export interface Head {
  readonly settings: KnowledgeSettings
  /** Grows with every change of settings; 0 before the first. */
  readonly generation: number
  readonly change_seq: number
  /** Counts the chunks of everything that was ever stored, as `change_seq` counts changes. */
  readonly chunk_seq: number
  readonly snapshot: Snapshot | null
}

export class KnowledgeStore extends Context.Service<KnowledgeStore, {
  /** Of a workspace without any setting or document too. */
  head(workspaceId: WorkspaceId): Stored<Head>
  /** Changes that lie after this `change_seq`, each document counted once. Takes longer the more there are. */
  countPending(workspaceId: WorkspaceId, since: number): Stored<number>
  /** Replaces the settings, or keeps them when null; moves `generation` on and puts `rebuild` in the place of all waiting and running builds. */
  configure(workspaceId: WorkspaceId, settings: KnowledgeSettings | null, rebuild: NewJob): Stored<Head>
  /** The next number of the workspace's refreshes, from 1. */
  nextRun(workspaceId: WorkspaceId): Stored<number>
  putSegment(workspaceId: WorkspaceId, segmentId: string, bytes: Uint8Array): Stored<void>
  /** None when it was dropped: the published snapshot has moved on. */
  getSegment(workspaceId: WorkspaceId, segmentId: string): Stored<Option.Option<Uint8Array>>
  /**
   * Makes `snapshot` the published one when `previous` still is (null: none was), the generation is still the
   * present one, `change_seq` does not go back, every segment that it names is stored, and the job that built it
   * (where given) still runs under its lease; says whether it did. `keep` counts the rebuilds that stay, the published
   * one included, and of the others only those stay whose bytes hold nothing that was deleted, as far as `snapshot` has
   * seen it (`purgedSeq`); segments that no kept snapshot names are dropped. A refresh (`replaces: true`) takes the
   * place of the snapshot that it renews.
   */
  publish(workspaceId: WorkspaceId, snapshot: Snapshot, options: {
    readonly previous: SnapshotId | null
    readonly replaces: boolean
    readonly keep: number
    readonly tenure?: Tenure
  }): Stored<boolean>
  /** Drops all snapshots but the published one, with the segments that only they named; says how many. */
  dropOldSnapshots(workspaceId: WorkspaceId): Stored<number>
  /** By id, after the given one: workspaces whose published snapshot has hidden something since before `before`. */
  hiding(before: Date, options: {
    readonly after: WorkspaceId | null
    readonly limit: number
  }): Stored<ReadonlyArray<WorkspaceId>>
  /** Drops segments that a build wrote and no snapshot names. */
  dropSegments(workspaceId: WorkspaceId, segmentIds: ReadonlyArray<string>): Stored<void>
}>()("@tributary/core/ports/KnowledgeStore") {}
