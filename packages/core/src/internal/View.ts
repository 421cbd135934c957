/** What a query reads: segments of the published snapshot and of what changed since, with everything stale hidden. */
import type { Segment, ViewPart } from "@tributary/retrieval"
import type { Change } from "../ports/DocumentStore.ts"
import type { Snapshot } from "../ports/KnowledgeStore.ts"

export interface Part extends ViewPart {
  /** Null for a part of the tail, which no snapshot names yet. */
  readonly segment_id: string | null
}

export interface View {
  readonly snapshot: Snapshot | null
  readonly parts: ReadonlyArray<Part>
  /** Every change up to this one is seen. */
  readonly changeSeq: number
}

/** Whether some part already holds this version of the document, or a later one. */
export const holds = (view: View, change: Change): boolean =>
  view.parts.some(({ segment }) => (segment.find(change.document_id)?.version ?? -1) >= change.change_seq)

const hideStale = (part: Part, changes: ReadonlyArray<Change>): Part => {
  let mask = part.mask
  for (const { change_seq, document_id } of changes) {
    const entry = part.segment.find(document_id)
    if (entry === undefined || entry.version >= change_seq) continue
    if (mask === part.mask) mask = mask.copy()
    mask.hide(entry.number)
  }
  return mask === part.mask ? part : { ...part, mask }
}

/** The view after `changes`, whose new texts are indexed in `added`. */
export const advance = (view: View, changes: ReadonlyArray<Change>, added: ReadonlyArray<Part>): View => ({
  snapshot: view.snapshot,
  parts: [...view.parts.map((part) => hideStale(part, changes)), ...added],
  changeSeq: changes.at(-1)?.change_seq ?? view.changeSeq
})

export const bytesOf = (view: View): number => view.parts.reduce((sum, { segment }) => sum + segment.byteLength, 0)

/** The latest moment at which anything in these segments begins. */
export const latestOf = (segments: ReadonlyArray<Segment>): number =>
  segments.reduce((latest, segment) => Math.max(latest, segment.latest), -Infinity)
