/** The filters of a request as filters of the index. */
import type { FilterOptions } from "@tributary/retrieval"
import type { Range } from "../model/TemporalRange.ts"
import type { TokenFilter } from "../model/Token.ts"
import { metadataTag, sourceTag } from "../context/indexDocument.ts"

const tagsOf = ({ metadata, sources }: TokenFilter): ReadonlyArray<ReadonlyArray<string>> => [
  ...[sources ?? []].filter((sources) => sources.length > 0).map((sources) => sources.map(sourceTag)),
  ...Object.entries(metadata ?? {}).map(([key, value]) => [metadataTag(key, value)])
]

const EVERYTHING: Range = { from: -Infinity, to: Infinity }

/**
 * The filters of the request and of its token must all match; of the sources, any. `within` limits the time further.
 */
export const searchFilter = (
  wanted: TokenFilter,
  narrowed: TokenFilter | null,
  within = EVERYTHING
): FilterOptions => ({
  allOf: [...tagsOf(wanted), ...tagsOf(narrowed ?? {})],
  from: Math.max(within.from, wanted.from?.getTime() ?? -Infinity, narrowed?.from?.getTime() ?? -Infinity),
  to: Math.min(within.to, wanted.to?.getTime() ?? Infinity, narrowed?.to?.getTime() ?? Infinity)
})
