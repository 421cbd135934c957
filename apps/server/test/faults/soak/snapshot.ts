/** The documents of a workspace's published snapshot, read from the tables. */
import { assert } from "vitest"
import { openSegment } from "../../../../../packages/retrieval/src/index.ts"
import type { TestStore } from "../support/stores.ts"

interface Slice {
  readonly change_seq: number
  /** A list as JSON. */
  readonly segments: string
  readonly segment_id: string
  readonly bytes: Uint8Array
}

interface Listed {
  readonly segment_id: string
  readonly masked: ReadonlyArray<number>
}

export interface IndexedVersion {
  readonly document_id: string
  readonly version: number
  readonly segment_id: string
  readonly isMasked: boolean
}

const concat = (slices: ReadonlyArray<Slice>): Uint8Array =>
  new Uint8Array(Buffer.concat(slices.map(({ bytes }) => bytes)))

export const readSnapshot = async ({ query, schema }: TestStore, workspaceId: string) => {
  const slices = await query<Slice>(
    `SELECT CAST(s.change_seq AS DOUBLE PRECISION) AS change_seq, s.segments, g.segment_id, g.bytes
    FROM ${schema}.snapshots s JOIN ${schema}.segments g ON g.workspace_id = s.workspace_id
    WHERE s.workspace_id = '${workspaceId}' AND s.position = (
      SELECT max(position) FROM ${schema}.snapshots WHERE workspace_id = '${workspaceId}')
    ORDER BY g.segment_id, g.slice`
  )
  const listed: ReadonlyArray<Listed> = JSON.parse(slices[0]?.segments ?? "[]")
  const versions = listed.flatMap(({ masked, segment_id }): ReadonlyArray<IndexedVersion> => {
    const segment = openSegment(concat(slices.filter((slice) => slice.segment_id === segment_id)))
    return [...segment.documents()].map(({ id, number, version }) => ({
      document_id: id,
      version,
      segment_id,
      isMasked: masked.includes(number)
    }))
  })
  return { change_seq: slices[0]?.change_seq ?? 0, versions }
}

/** A context that rests contains every document once, in its present version. */
export const snapshotIsExact = async (store: TestStore, workspaceId: string): Promise<void> => {
  const { versions } = await readSnapshot(store, workspaceId)
  const stored = await store.query<{ readonly document_id: string; readonly version: number }>(
    `SELECT document_id, CAST(change_seq AS DOUBLE PRECISION) AS version FROM ${store.schema}.documents
      WHERE workspace_id = '${workspaceId}'`
  )
  const lines = (all: ReadonlyArray<Pick<IndexedVersion, "document_id" | "version">>) =>
    all.map(({ document_id, version }) => `${document_id} ${version}`).toSorted()
  assert.deepStrictEqual(
    lines(versions.filter(({ isMasked }) => !isMasked)),
    lines(stored),
    "the documents of the index"
  )
}
