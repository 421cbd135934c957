/** Warnings about a source or a kind that selects nothing in the workspace, as one that is misspelt, and a range of no moment. */
import { Effect } from "effect"
import { isFrom } from "../model/Document.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { rangeWarnings } from "../model/TemporalRange.ts"
import { isStorable } from "../model/Text.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { ConnectionStore } from "../ports/ConnectionStore.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import { type DocumentFilter, DocumentStore, EVERY_DOCUMENT } from "../ports/DocumentStore.ts"
import { knownSources } from "./knownSources.ts"

interface Wanted {
  readonly source?: string | null | undefined
  readonly kind?: string | null | undefined
  readonly from?: Date | null
  readonly to?: Date | null
}

const warningOf = (field: "kind" | "source", value: string): string =>
  `${field}: nothing in this workspace matches ${JSON.stringify(value)}`

/** For a list that is empty: what selects something is not checked. */
export const selectionWarnings = Effect.gen(function*() {
  const stores = { connections: yield* ConnectionStore, connectors: yield* ConnectorStore }
  const documents = yield* DocumentStore

  const isNamed = Effect.fnUntraced(function*(workspaceId: WorkspaceId, wanted: string) {
    const sources = yield* knownSources(stores, workspaceId, yield* CurrentTokenFilter)
    return sources.some((source) => isFrom(source, wanted))
  })

  const hasDocument = Effect.fnUntraced(function*(workspaceId: WorkspaceId, filter: Partial<DocumentFilter>) {
    const shownTo = yield* CurrentTokenFilter
    return (yield* documents.countMatching(workspaceId, { ...EVERY_DOCUMENT, ...filter, shownTo }, 1)) > 0
  })

  const isKnownSource = Effect.fnUntraced(function*(workspaceId: WorkspaceId, source: string) {
    return isStorable(source) &&
      ((yield* isNamed(workspaceId, source)) || (yield* hasDocument(workspaceId, { source })))
  })

  return Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, { from = null, kind = null, source = null, to = null }: Wanted) {
      const isMissing = source !== null && !(yield* isKnownSource(workspaceId, source))
      const isUnused = kind !== null && !(isStorable(kind) && (yield* hasDocument(workspaceId, { kind })))
      return [
        ...(isMissing ? [warningOf("source", source)] : []),
        ...(isUnused ? [warningOf("kind", kind)] : []),
        ...rangeWarnings({ from, to })
      ]
    }
  )
})
