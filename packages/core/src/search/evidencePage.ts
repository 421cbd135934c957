/** Payloads may be as large as documents, so an answer that shows them has fewer results. */
import type { Hit } from "@tributary/retrieval"
import type { Passage } from "../ports/DocumentStore.ts"

/** In bytes of documents: about as much as one ingest may hold. */
const MAX_BYTES = 33_554_432

/** The hits from the first on that fit one answer with their payloads: at least one. */
export const evidencePage = (
  hits: ReadonlyArray<Hit>,
  passages: ReadonlyMap<Hit, Passage>
): ReadonlyArray<Hit> => {
  let bytes = 0
  const end = hits.findIndex((hit, at) => {
    bytes += passages.get(hit)?.document.size ?? 0
    return at > 0 && bytes > MAX_BYTES
  })
  return end === -1 ? hits : hits.slice(0, end)
}
