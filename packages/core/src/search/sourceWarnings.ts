/** What is told of the filter `sources`, so that nobody takes a name that is none for a source that says nothing. */
import { countDocuments } from "@tributary/retrieval"
import { Effect } from "effect"
import { sourceOf } from "../model/Connector.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { Range } from "../model/TemporalRange.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import type { Part } from "../context/View.ts"
import { showsSource, type TokenFilter } from "../model/Token.ts"
import { searchFilter } from "./searchFilter.ts"

interface Wanted {
  readonly sources?: ReadonlyArray<string> | null
}

/** Those of the sources that something matches in some parts of what is searched. */
export const matchedIn = (
  parts: ReadonlyArray<Part>,
  { sources }: Wanted,
  narrowed: TokenFilter | null,
  within?: Range
): ReadonlyArray<string> =>
  (sources ?? []).filter((source) => countDocuments(parts, searchFilter({ sources: [source] }, narrowed, within)) > 0)

/** Names those that nothing in a place matches. A connector that has delivered nothing there is none of them. */
export const sourceWarnings = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  place: "this workspace" | "the knowledge context",
  { sources }: Wanted,
  matched: ReadonlyArray<string>,
  narrowed: TokenFilter | null
) {
  const unmatched = (sources ?? []).filter((source) => !matched.includes(source))
  if (unmatched.length === 0) return []
  const connectors = yield* (yield* ConnectorStore).list(workspaceId, true)
  const known = new Set(connectors.map(sourceOf).filter((source) => showsSource(narrowed, source)))
  return unmatched.filter((source) => !known.has(source))
    .map((source) => `sources: nothing in ${place} matches "${source}"`)
})
