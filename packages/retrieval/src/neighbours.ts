/** What was written just before and after a hit, in the same stream of messages. */
import { blockedIn, type FilterOptions } from "./filter.ts"
import type { ViewPart } from "./Mask.ts"
import { type Hit, hitOf } from "./TopHits.ts"

/** Messages further apart belong to different conversations; in milliseconds. */
const SESSION = 60 * 60 * 1000

/** So many before, and so many after. */
const EACH = 2

/** Those of the stream that stand near `hit` in time, and pass; ties in the order of their ids. */
const sessionOf = (
  parts: ReadonlyArray<ViewPart>,
  stream: string,
  hit: Hit,
  options: FilterOptions
): ReadonlyArray<Hit> =>
  parts.flatMap((part, position) => {
    const { segment } = part
    const tag = segment.tags.find(stream)
    if (tag === null || segment.earliest > hit.from + SESSION || segment.latest < hit.from - SESSION) return []
    const blocked = blockedIn(part, options)
    const near: Array<Hit> = []
    for (const document of segment.tagged(tag)) {
      if (blocked !== null && blocked[document] === 1) continue
      if (Math.abs(segment.fromOf(document) - hit.from) <= SESSION) {
        const chunk = segment.firstChunks[document]!
        near.push(hitOf(part, { part: position, document, chunk, score: hit.score }, false))
      }
    }
    return near
  }).sort((left, right) => left.from - right.from || (left.documentId < right.documentId ? -1 : 1))

/** In the order of time, without the hit itself. `stream` is the label that its messages share. */
export const neighboursOf = (
  parts: ReadonlyArray<ViewPart>,
  stream: string,
  hit: Hit,
  options: FilterOptions
): ReadonlyArray<Hit> => {
  const session = sessionOf(parts, stream, hit, options)
  const at = session.findIndex(({ documentId }) => documentId === hit.documentId)
  return at === -1 ? [] : [...session.slice(Math.max(0, at - EACH), at), ...session.slice(at + 1, at + 1 + EACH)]
}
