/** What a query reads: the segments of the published snapshot and of later changes, with stale documents masked. */
import { type IndexDocument, Mask, openSegment, type Segment, type ViewPart } from "@tributary/retrieval"
import type { Change } from "../ports/DocumentStore.ts"
import { runGenerator } from "../scheduling/runGenerator.ts"
import type { Snapshot, SnapshotSegment, Span } from "../ports/KnowledgeStore.ts"

export interface Part extends ViewPart {
  /** Null for a part of the tail, which is in no snapshot yet. */
  readonly segment_id: string | null
  /** Absent if it is unknown. */
  readonly span: Span | undefined
}

export interface View {
  readonly snapshot: Snapshot | null
  /** The segments of the snapshot in its order, then those of the tail. */
  readonly parts: ReadonlyArray<Part>
  /** Segments of the snapshot that are not loaded, because no query needed them. */
  readonly absent: ReadonlyArray<SnapshotSegment>
  /** The documents that changed after the snapshot: its segments have former versions of them. */
  readonly changed: ReadonlySet<string>
  /** Every change up to this one is visible. */
  readonly changeSeq: number
}

/** The view of a snapshot with nothing loaded. */
export const unloaded = (snapshot: Snapshot | null): View => ({
  snapshot,
  parts: [],
  absent: (snapshot?.segments ?? []).filter(({ vectors }) => vectors === undefined),
  changed: new Set(),
  changeSeq: snapshot?.change_seq ?? 0
})

export const isViewOf = (view: View | null, snapshot: Snapshot | null): view is View =>
  view !== null && view.snapshot?.snapshot_id === snapshot?.snapshot_id

export const EVERYTHING: Span = { from: -Infinity, to: Infinity }

const overlaps = ({ span }: { readonly span?: Span | undefined }, range: Span): boolean =>
  span === undefined || (span.from <= range.to && span.to >= range.from)

/** The segments to load before the view covers the range. */
export const missingSegments = ({ absent }: View, range: Span): ReadonlyArray<SnapshotSegment> =>
  absent.filter((segment) => overlaps(segment, range))

/** The parts that changed after the snapshot. */
export const changedParts = ({ parts }: View): ReadonlyArray<Part> =>
  parts.filter(({ segment_id }) => segment_id === null)

/** The loaded segments of its snapshot. */
export const storedOf = ({ absent, parts, snapshot }: View): ReadonlyArray<SnapshotSegment> => {
  const shown = new Set([...parts, ...absent].map(({ segment_id }) => segment_id))
  return (snapshot?.segments ?? []).filter(({ segment_id }) => shown.has(segment_id))
}

/** Everything is served from the documents, because the snapshot cannot be read. */
export const servedFromDocuments = (snapshot: Snapshot): View => ({ ...unloaded(null), snapshot })

export const isServedFromDocuments = (view: View): boolean =>
  unloaded(view.snapshot).absent.length > 0 && storedOf(view).length === 0

/** The loaded parts of the range. */
export const partsIn = ({ parts }: View, range: Span): ReadonlyArray<Part> =>
  parts.filter((part) => overlaps(part, range))

export const spanOf = (documents: ReadonlyArray<IndexDocument>): Span => ({
  from: documents.reduce((earliest, { from }) => Math.min(earliest, from), Infinity),
  to: documents.reduce((latest, { to }) => Math.max(latest, to), -Infinity)
})

/** The smallest interval that contains all; absent if one is unknown. */
export const spanOfParts = (parts: ReadonlyArray<{ readonly span?: Span | undefined }>): Span | undefined =>
  parts.reduce<Span | undefined>(
    (whole, { span }) =>
      whole === undefined || span === undefined
        ? undefined
        : { from: Math.min(whole.from, span.from), to: Math.max(whole.to, span.to) },
    parts[0]?.span
  )

export const tailPart = (bytes: Uint8Array, span: Span | undefined): Part => {
  const segment = openSegment(bytes)
  return { segment, mask: new Mask(segment), segment_id: null, span }
}

/** How many documents are looked for at once, of which each takes about a microsecond. */
const LOOKED_FOR = 500

/** Pauses at each `yield`. */
function* hideChanged(part: Part, changed: ReadonlySet<string>): Generator<void, Part> {
  let mask = part.mask
  let lookedFor = 0
  for (const id of changed) {
    if (++lookedFor % LOOKED_FOR === 0) yield
    const entry = part.segment.find(id)
    if (entry === undefined) continue
    if (mask === part.mask) mask = mask.copy()
    mask.hide(entry.number)
  }
  yield
  return mask === part.mask ? part : { ...part, mask }
}

/** A segment of the view's snapshot with its mask. */
export const maskedPart = (view: View, { masked, segment_id, span }: SnapshotSegment, segment: Segment): Part =>
  runGenerator(hideChanged({ segment, mask: new Mask(segment, masked), segment_id, span }, view.changed))

/** The view with these segments loaded as well. */
export const withLoaded = (view: View, loaded: ReadonlyMap<string, Segment>): View => {
  const before = new Map(view.parts.map((part) => [part.segment_id, part]))
  const stored = (view.snapshot?.segments ?? []).flatMap((segment) => {
    const part = before.get(segment.segment_id)
    if (part !== undefined) return [part]
    const now = loaded.get(segment.segment_id)
    return now === undefined ? [] : [maskedPart(view, segment, now)]
  })
  return {
    ...view,
    parts: [...stored, ...changedParts(view)],
    absent: view.absent.filter(({ segment_id }) => !loaded.has(segment_id))
  }
}

/** The view with only these segments of its snapshot loaded. */
export const restrictToLoaded = (view: View, isLoaded: (segmentId: string) => boolean): View => {
  const gone = new Set(
    view.parts.flatMap(({ segment_id }) => segment_id === null || isLoaded(segment_id) ? [] : [segment_id])
  )
  return gone.size === 0 ? view : {
    ...view,
    parts: view.parts.filter(({ segment_id }) => segment_id === null || !gone.has(segment_id)),
    absent: [...view.absent, ...(view.snapshot?.segments ?? []).filter(({ segment_id }) => gone.has(segment_id))]
  }
}

/** The view after `changes`, of which `added` contains the documents. Pauses at each `yield`. */
export function* advance(
  view: View,
  changes: ReadonlyArray<Change>,
  added: ReadonlyArray<Part>
): Generator<void, View> {
  const changed = new Set<string>(changes.map(({ document_id }) => document_id))
  const parts: Array<Part> = []
  for (const part of view.parts) parts.push(yield* hideChanged(part, changed))
  return {
    ...view,
    parts: [...parts, ...added],
    changed: new Set([...view.changed, ...changed]),
    changeSeq: changes.at(-1)?.change_seq ?? view.changeSeq
  }
}

export const bytesOf = (parts: ReadonlyArray<Part>): number =>
  parts.reduce((sum, { segment }) => sum + segment.byteLength, 0)
