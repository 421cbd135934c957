/** The filters of a request as filters of the index. */
import type { FilterOptions } from "@tributary/retrieval"
import type { Range } from "../model/TemporalRange.ts"
import type { TokenFilter } from "../model/Token.ts"
import { metadataTag, sourceTag } from "../context/indexDocument.ts"

const tagsOf = ({ metadata, sources }: TokenFilter): ReadonlyArray<ReadonlyArray<string>> => [
  ...[sources ?? []].filter((sources) => sources.length > 0).map((sources) => sources.map(sourceTag)),
  ...Object.entries(metadata ?? {}).map(([key, value]) => [metadataTag(key, value)])
]

const rangeOf = ({ from, to }: TokenFilter): ReadonlyArray<Range> =>
  from || to ? [{ from: from?.getTime() ?? -Infinity, to: to?.getTime() ?? Infinity }] : []

/**
 * The filters of the request and of its token must all match; of the sources, any. `within` limits the time further. The
 * ranges are not intersected: what lasts from one to the other overlaps both.
 */
export const searchFilter = (
  wanted: TokenFilter,
  tokenFilter: TokenFilter | null,
  within?: Range
): FilterOptions => ({
  allOf: [...tagsOf(wanted), ...tagsOf(tokenFilter ?? {})],
  overlapping: [...rangeOf(wanted), ...rangeOf(tokenFilter ?? {}), ...(within === undefined ? [] : [within])]
})
