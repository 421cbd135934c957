/** The hits of a view as the service ranks them, without comparing them with each other. */
import { measureProximity } from "../../src/search/rescoring/measureProximity.ts"
import { rescore } from "../../src/search/rescoring/rescore.ts"
import { scoringOf } from "../../src/search/scoring.ts"
import type { Query } from "../../src/search/query/Query.ts"
import type { Hit } from "../../src/search/TopHits.ts"
import type { ViewPart } from "../../src/segment/Mask.ts"

/** `exactHits` as for `measureProximity`. */
export const rerank = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  hits: ReadonlyArray<Hit>,
  textsOf: (hit: Hit) => ReadonlyArray<string>,
  exactHits?: number
): ReadonlyArray<Hit> => {
  const scoring = scoringOf(parts, query)
  return rescore(query, scoring, measureProximity(parts, query, scoring, hits, exactHits), textsOf)
}
