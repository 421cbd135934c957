/** The units of the passages that were found, whole: passages are cut without regard to them, so adjacent passages are read. */
import { type Evidence, type EvidenceSource, neighbouringRefs } from "@tributary/core/ports/Answerer"
import type { Passage, PassageRef } from "@tributary/core/ports/DocumentStore"
import { type Unit, unitsOf } from "@tributary/retrieval"
import { Effect } from "effect"

/** Consecutive passages of one version of a document. */
export interface Section {
  readonly document: Passage["document"]
  readonly text: string
  /** Its offset in the text of the document. */
  readonly start: number
  /** The previous messages of the same conversation. */
  readonly context: string
  readonly units: ReadonlyArray<Unit>
  readonly version: Pick<PassageRef, "document_id" | "change_seq">
}

/** A unit that overlaps a passage that was found, or one near it if there are few. */
export interface Candidate {
  readonly section: Section
  readonly unit: Unit
  /** The score of the best such passage, as a share of the highest score; 0 if none was found itself. */
  readonly share: number
}

/** The end of a sentence, a row or code. */
const ENDS = /[.!?…:;。！？|`][^\p{L}\p{N}]*$/u

const versionKey = ({ change_seq, document_id }: Pick<PassageRef, "document_id" | "change_seq">): string =>
  `${document_id} ${change_seq}`

const keyOf = (ref: PassageRef): string => `${versionKey(ref)} ${ref.ordinal}`

const endOf = ({ start, text }: Pick<Passage, "start" | "text">): number => start + text.length

/** What is around passages, the nearest first, as far as there is room. */
const nearest = (passages: ReadonlyArray<PassageRef>, room: number): ReadonlyArray<PassageRef> => {
  const reach = Math.ceil(room / Math.max(1, passages.length))
  const around = Array.from({ length: reach }, (_, at) => [at + 1, -at - 1]).flat()
    .flatMap((by) =>
      passages.map(({ change_seq, document_id, ordinal }) => ({ change_seq, document_id, ordinal: ordinal + by }))
    )
    .filter(({ ordinal }) => ordinal >= 0)
  const refs = new Map([...passages, ...around].map((ref) => [keyOf(ref), ref]))
  return [...refs.values()].slice(passages.length, passages.length + room)
}

/** Consecutive passages of one version of a document, in order; duplicates count once. */
const runsOf = (passages: ReadonlyArray<Passage>): ReadonlyArray<ReadonlyArray<Passage>> => {
  const runs: Array<Array<Passage>> = []
  let last: Passage | undefined
  for (const passage of passages.toSorted((one, other) => one.ordinal - other.ordinal)) {
    if (passage.ordinal === last?.ordinal) continue
    if (last !== undefined && endOf(last) === passage.start) runs.at(-1)!.push(passage)
    else runs.push([passage])
    last = passage
  }
  return runs
}

/** Fewer passages than `most` leave room for others of their documents. */
export const candidateUnits = Effect.fnUntraced(
  function*({ passages }: Evidence, source: EvidenceSource, most: number) {
    const others = nearest(passages, most - passages.length)
    const best = Math.max(...passages.map(({ score }) => score))
    const shares = new Map([
      ...others.map((ref) => [keyOf(ref), 0] as const),
      ...passages.map((passage) => [keyOf(passage), best > 0 ? Math.max(0, passage.score / best) : 0] as const)
    ])
    const contexts = new Map(passages.map(({ context, document_id }) => [document_id, context]))
    const read = [...passages, ...yield* source.read([...passages, ...others].flatMap(neighbouringRefs))]
    return [...Map.groupBy(read, versionKey).values()].flatMap(runsOf).flatMap((run): ReadonlyArray<Candidate> => {
      const { change_seq, document, document_id, start } = run[0]!
      const text = run.map((passage) => passage.text).join("")
      const context = contexts.get(document_id) ?? ""
      const shared = unitsOf(text, start > 0).map((unit) => {
        const own = run.filter((one) => one.start - start < unit.end && unit.start < endOf(one) - start)
        return { unit, share: Math.max(...own.map((one) => shares.get(keyOf(one)) ?? -1)) }
      })
      // What is read beside the passages may end within a unit.
      const last = shared.at(-1)
      if (last !== undefined && last.share < 0 && !ENDS.test(text.slice(last.unit.start, last.unit.end))) shared.pop()
      const units = shared.map(({ unit }) => unit)
      const section = { document, text, start, context, units, version: { document_id, change_seq } }
      return shared.flatMap(({ share, unit }) => share < 0 ? [] : [{ section, unit, share }])
    })
  }
)
