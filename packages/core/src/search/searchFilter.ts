/** The filters of a request as filters of the index. */
import type { FilterOptions } from "@tributary/retrieval"
import { type Range, toRange } from "../model/TemporalRange.ts"
import type { TokenFilter } from "../model/Token.ts"
import { metadataTag, sourceTag } from "../context/indexDocument.ts"

const tagsOf = ({ metadata, sources }: TokenFilter): ReadonlyArray<ReadonlyArray<string>> => [
  ...[sources ?? []].filter((sources) => sources.length > 0).map((sources) => sources.map(sourceTag)),
  ...Object.entries(metadata ?? {}).map(([key, value]) => [metadataTag(key, value)])
]

const rangesOf = ({ from, to }: TokenFilter): ReadonlyArray<Range> => from || to ? [toRange({ from, to })] : []

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
  overlapping: [...rangesOf(wanted), ...rangesOf(tokenFilter ?? {}), ...(within === undefined ? [] : [within])]
})
