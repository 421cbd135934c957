/** The messages just before and after a hit in the same stream: its conversation. */
import { blockedIn, type FilterOptions } from "./filter.ts"
import type { ViewPart } from "../segment/Mask.ts"
import { type Hit, hitOf } from "./TopHits.ts"

/** Messages further apart belong to different conversations; in milliseconds. */
const MAX_GAP = 60 * 60 * 1000

/** This many before, and this many after. */
const EACH = 2

/** The interval in which messages of the same conversation start. */
export const conversationSpan = ({ from }: Hit): { readonly from: number; readonly to: number } => ({
  from: from - MAX_GAP,
  to: from + MAX_GAP
})

/** The messages of the stream near `hit` in time that pass the filter. `stream` is the label of its messages. */
export const conversationAround = (
  parts: ReadonlyArray<ViewPart>,
  stream: string,
  hit: Hit,
  options: FilterOptions
): ReadonlyArray<Hit> => {
  const { from, to } = conversationSpan(hit)
  return parts.flatMap((part, position) => {
    const { segment } = part
    const tag = segment.tags.find(stream)
    if (tag === null || segment.earliest > to || segment.latest < from) return []
    const blocked = blockedIn(part, options)
    const messages: Array<Hit> = []
    for (const document of segment.tagged(tag)) {
      if (blocked !== null && blocked[document] === 1) continue
      if (Math.abs(segment.fromOf(document) - hit.from) <= MAX_GAP) {
        const chunk = segment.firstChunks[document]!
        messages.push(hitOf(part, { part: position, chunk, score: hit.score }, false))
      }
    }
    return messages
  })
}

/** The messages adjacent to the hit in a conversation given in any order, sorted by time, then id. */
export const adjacentMessages = (conversation: ReadonlyArray<Hit>, hit: Hit): ReadonlyArray<Hit> => {
  const sorted = conversation.toSorted((left, right) =>
    left.from - right.from || (left.documentId < right.documentId ? -1 : 1)
  )
  const at = sorted.findIndex(({ documentId }) => documentId === hit.documentId)
  return at === -1 ? [] : [...sorted.slice(Math.max(0, at - EACH), at), ...sorted.slice(at + 1, at + 1 + EACH)]
}
