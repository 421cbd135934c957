/** What was written just before and after a hit, in the same stream of messages. */
import { blockedIn, type FilterOptions } from "./filter.ts"
import type { ViewPart } from "../segment/Mask.ts"
import { type Hit, hitOf } from "./TopHits.ts"

/** Messages further apart belong to different conversations; in milliseconds. */
const SESSION = 60 * 60 * 1000

/** How many before, and this many after. */
const EACH = 2

/** When messages of the same conversation may begin. */
export const sessionSpan = ({ from }: Hit): { readonly from: number; readonly to: number } => ({
  from: from - SESSION,
  to: from + SESSION
})

/** Those of the stream that stand near `hit` in time, and pass. `stream` is the label that its messages share. */
export const sessionOf = (
  parts: ReadonlyArray<ViewPart>,
  stream: string,
  hit: Hit,
  options: FilterOptions
): ReadonlyArray<Hit> => {
  const { from, to } = sessionSpan(hit)
  return parts.flatMap((part, position) => {
    const { segment } = part
    const tag = segment.tags.find(stream)
    if (tag === null || segment.earliest > to || segment.latest < from) return []
    const blocked = blockedIn(part, options)
    const near: Array<Hit> = []
    for (const document of segment.tagged(tag)) {
      if (blocked !== null && blocked[document] === 1) continue
      if (Math.abs(segment.fromOf(document) - hit.from) <= SESSION) {
        const chunk = segment.firstChunks[document]!
        near.push(hitOf(part, { part: position, chunk, score: hit.score }, false))
      }
    }
    return near
  })
}

/** Of a session in whatever order, those next to the hit, in the order of time; ties in that of their ids. */
export const neighboursIn = (session: ReadonlyArray<Hit>, hit: Hit): ReadonlyArray<Hit> => {
  const sorted = session.toSorted((left, right) =>
    left.from - right.from || (left.documentId < right.documentId ? -1 : 1)
  )
  const at = sorted.findIndex(({ documentId }) => documentId === hit.documentId)
  return at === -1 ? [] : [...sorted.slice(Math.max(0, at - EACH), at), ...sorted.slice(at + 1, at + 1 + EACH)]
}
