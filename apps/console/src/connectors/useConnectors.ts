import { type Freshness, useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"

/** All connectors, including inactive ones. */
export const useConnectors = (options: Freshness = { refetchInterval: 10_000 }) =>
  useWorkspaceQuery(["connectors"], ({ client, signal }) => client.connectors.list({ signal }), options)
