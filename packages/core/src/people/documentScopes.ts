/** The scopes for documents by id: pushed and pulled ones need different ones, and only the document shows which. */
import { isPushed } from "../model/Connector.ts"
import type { FineScope } from "../model/Scope.ts"

interface Sourced {
  readonly source: string
}

export const scopeToRead = (document: Sourced): FineScope =>
  isPushed(document) ? "custom_connectors:read" : "connections:read"

export const scopeToDelete = (document: Sourced): FineScope =>
  isPushed(document) ? "custom_connectors:ingest" : "connections:write"

/** In a fixed order, so that errors do not depend on that of the documents. */
export const scopesToDelete = (documents: ReadonlyArray<Sourced>): ReadonlyArray<FineScope> => {
  const needed = new Set(documents.map(scopeToDelete))
  return (["custom_connectors:ingest", "connections:write"] as const).filter((scope) => needed.has(scope))
}
