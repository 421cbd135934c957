/** The filters of a request, as the index understands them. */
import type { FilterOptions } from "@tributary/retrieval"
import type { Range } from "../model/TemporalRange.ts"
import { metadataTag, sourceTag } from "../context/indexDocument.ts"

interface Wanted {
  readonly sources?: ReadonlyArray<string> | null
  readonly metadata?: Readonly<Record<string, string>> | null
  readonly from?: Date | null
  readonly to?: Date | null
}

/** All must hold; of the sources, any. `within` narrows the time further. */
export const searchFilter = (wanted: Wanted, within: Range = { from: -Infinity, to: Infinity }): FilterOptions => ({
  allOf: [
    ...[wanted.sources ?? []].filter((sources) => sources.length > 0).map((sources) => sources.map(sourceTag)),
    ...Object.entries(wanted.metadata ?? {}).map(([key, value]) => [metadataTag(key, value)])
  ],
  from: Math.max(within.from, wanted.from?.getTime() ?? -Infinity),
  to: Math.min(within.to, wanted.to?.getTime() ?? Infinity)
})
