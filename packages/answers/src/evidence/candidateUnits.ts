/** The units of the passages that were found, whole: passages are cut without regard to them, so adjacent passages are read. */
import { type Evidence, type EvidenceSource, refsAround } from "@tributary/core/ports/Answerer"
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

/** A unit that overlaps a passage that was found. */
export interface Candidate {
  readonly section: Section
  readonly unit: Unit
  /** The score of the best such passage, as a share of the highest score. */
  readonly share: number
}

const versionKey = ({ change_seq, document_id }: Pick<PassageRef, "document_id" | "change_seq">): string =>
  `${document_id} ${change_seq}`

const endOf = ({ start, text }: Passage): number => start + text.length

const sectionOf = (run: ReadonlyArray<Passage>, context: string): Section => {
  const { change_seq, document, document_id, start } = run[0]!
  const text = run.map((passage) => passage.text).join("")
  return { document, text, start, context, units: unitsOf(text), version: { document_id, change_seq } }
}

/** The units of one version of a document, in order; duplicates count once. */
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

/** By the version of their document. */
const sectionsOf = (
  passages: ReadonlyArray<Passage>,
  contexts: ReadonlyMap<string, string>
): ReadonlyMap<string, ReadonlyArray<Section>> =>
  new Map(
    [...Map.groupBy(passages, versionKey)].map(([key, own]) => [
      key,
      runsOf(own).map((run) => sectionOf(run, contexts.get(run[0]!.document_id) ?? ""))
    ])
  )

export const candidateUnits = Effect.fnUntraced(function*({ passages }: Evidence, source: EvidenceSource) {
  const around = yield* source.read(passages.flatMap(refsAround))
  const contexts = new Map(passages.map(({ context, document_id }) => [document_id, context]))
  const sections = sectionsOf([...passages, ...around], contexts)
  const found = new Map<Unit, Candidate>()
  const best = Math.max(...passages.map(({ score }) => score))
  for (const passage of passages) {
    const section = sections.get(versionKey(passage))?.find(({ start, text }) =>
      start <= passage.start && passage.start < start + Math.max(1, text.length)
    )
    if (section === undefined) continue
    const from = passage.start - section.start
    const share = best > 0 ? Math.max(0, passage.score / best) : 0
    for (const unit of section.units) {
      if (found.has(unit) || unit.end <= from || unit.start >= from + passage.text.length) continue
      found.set(unit, { section, unit, share })
    }
  }
  return [...found.values()]
})
