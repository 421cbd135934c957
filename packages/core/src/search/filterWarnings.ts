/** Warnings about filters that a program may not mean so: misspelt sources, a list of none, and a range of no moment. */
import type { FilterOptions } from "@tributary/retrieval"
import { Effect } from "effect"
import { knownSources } from "../documents/knownSources.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { type Range, rangeWarnings } from "../model/TemporalRange.ts"
import { ConnectionStore } from "../ports/ConnectionStore.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import { matchesSource, type TokenFilter } from "../model/Token.ts"
import { searchFilter } from "./searchFilter.ts"

type Wanted = Pick<TokenFilter, "sources">

const NO_SOURCES = "sources: an empty list filters nothing"

/** A filter for each of the sources. */
export const sourceFilters = (
  { sources }: Wanted,
  tokenFilter: TokenFilter | null,
  within?: Range
): ReadonlyMap<string, FilterOptions> =>
  new Map((sources ?? []).map((source) => [source, searchFilter({ sources: [source] }, tokenFilter, within)]))

/** A source without documents in the range matches: only what names none is warned of. */
export const filterWarnings = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  place: "this workspace" | "the knowledge context",
  { from, sources, to }: TokenFilter,
  matched: ReadonlySet<string>,
  tokenFilter: TokenFilter | null
) {
  const warnings = [
    ...rangeWarnings({ from, to }),
    ...(sources?.length === 0 ? [NO_SOURCES] : [])
  ]
  const unmatched = (sources ?? []).filter((source) => !matched.has(source))
  if (unmatched.length === 0) return warnings
  const stores = { connections: yield* ConnectionStore, connectors: yield* ConnectorStore }
  const known = yield* knownSources(stores, workspaceId, tokenFilter)
  const unknown = unmatched.filter((wanted) => !known.some((source) => matchesSource(wanted, source)))
  return [...warnings, ...unknown.map((source) => `sources: nothing in ${place} matches "${source}"`)]
})
