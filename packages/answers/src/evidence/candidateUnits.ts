/** The units of the passages that were found, whole: passages are cut without regard to them, so their neighbours are read. */
import type { Evidence, EvidencePassage, EvidenceSource } from "@tributary/core/ports/Answerer"
import type { Passage, PassageRef } from "@tributary/core/ports/DocumentStore"
import { type Unit, unitsOf } from "@tributary/retrieval"
import { Effect } from "effect"

/** Of the best passages more is read: a unit, its section and the line that introduces it may begin far above. */
const FOLLOWED = 20
const FAR = { above: 6, below: 2 }
const NEAR = { above: 1, below: 1 }

/** Consecutive passages of one version of a document. */
export interface Section {
  readonly document: Passage["document"]
  readonly text: string
  /** Where it begins in the text of the document. */
  readonly start: number
  /** What was said before it in the same conversation. */
  readonly context: string
  readonly units: ReadonlyArray<Unit>
  readonly version: Pick<PassageRef, "document_id" | "change_seq">
}

/** A unit that overlaps a passage that was found, and the best of those. */
export interface Candidate {
  readonly section: Section
  readonly unit: Unit
  /** Its place among the units of the section. */
  readonly index: number
  readonly passage: EvidencePassage
  /** Of the passage, from 0. */
  readonly rank: number
  /** Of its document among those found, from 0. */
  readonly documentRank: number
}

const refsAround = ({ change_seq, document_id, ordinal }: PassageRef, rank: number): ReadonlyArray<PassageRef> => {
  const { above, below } = rank < FOLLOWED ? FAR : NEAR
  return Array.from(
    { length: above + 1 + below },
    (_, at) => ({ change_seq, document_id, ordinal: ordinal - above + at })
  )
    .filter((ref) => ref.ordinal >= 0)
}

const versionKey = ({ change_seq, document_id }: PassageRef): string => `${document_id} ${change_seq}`

const endOf = ({ start, text }: Passage): number => start + text.length

const sectionsOf = (
  passages: ReadonlyArray<Passage>,
  contexts: ReadonlyMap<string, string>
): ReadonlyArray<Section> => {
  const runs: Array<Array<Passage>> = []
  const inOrder = [
    ...new Map(passages.map((passage) => [`${versionKey(passage)} ${passage.ordinal}`, passage])).values()
  ]
    .sort((one, other) =>
      versionKey(one) === versionKey(other)
        ? one.ordinal - other.ordinal
        : versionKey(one) < versionKey(other)
        ? -1
        : 1
    )
  for (const passage of inOrder) {
    const last = runs.at(-1)?.at(-1)
    const goesOn = last !== undefined && versionKey(last) === versionKey(passage) && endOf(last) === passage.start
    if (goesOn) runs.at(-1)!.push(passage)
    else runs.push([passage])
  }
  return runs.map((run) => {
    const [{ change_seq, document, document_id, start }] = run as [Passage]
    const text = run.map((passage) => passage.text).join("")
    return {
      document,
      text,
      start,
      context: contexts.get(document_id) ?? "",
      units: unitsOf(text),
      version: { document_id, change_seq }
    }
  })
}

export const candidateUnits = Effect.fnUntraced(function*({ passages }: Evidence, source: EvidenceSource) {
  const around = yield* source.read(passages.flatMap(refsAround))
  const contexts = new Map(passages.map(({ context, document_id }) => [document_id, context]))
  const sections = sectionsOf([...passages, ...around], contexts)
  const documents = [...new Set(passages.map(({ document_id }) => document_id))]
  const found = new Map<Unit, Candidate>()
  passages.forEach((passage, rank) => {
    const section = sections.find(({ start, text, version }) =>
      versionKey({ ...version, ordinal: 0 }) === versionKey(passage) && start <= passage.start &&
      passage.start < start + Math.max(1, text.length)
    )
    if (section === undefined) return
    const from = passage.start - section.start
    section.units.forEach((unit, index) => {
      if (found.has(unit) || unit.end <= from || unit.start >= from + passage.text.length) return
      const documentRank = documents.indexOf(passage.document_id)
      found.set(unit, { section, unit, index, passage, rank, documentRank })
    })
  })
  return [...found.values()]
})
