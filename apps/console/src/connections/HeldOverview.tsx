import { Link } from "@tanstack/react-router"
import { ApiError } from "../api/ApiError.ts"
import type { SourceConnection } from "../api/models.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import type { Client } from "../api/workspaceClient.ts"
import { amount } from "../ui/numbers.ts"
import { useConnections } from "./useConnections.ts"

/** Milliseconds between polls. Seldom, because held deletions are not urgent and there may be many connections. */
const SELDOM = 60_000

/** A folder that all of them pull from may have been emptied. */
const MOST = 3

interface Held {
  readonly connection: SourceConnection
  readonly deletions: number
}

const sumOf = (held: ReadonlyArray<Held>): number => held.reduce((sum, { deletions }) => sum + deletions, 0)

const heldIn = async ({ connections }: Client, id: string, signal: AbortSignal): Promise<number> => {
  try {
    const states = await connections.states(id, { signal })
    return states.reduce((sum, { deletions_held }) => sum + deletions_held, 0)
  } catch (error) {
    // It was deleted meanwhile.
    if (error instanceof ApiError && error.status === 404) return 0
    throw error
  }
}

/** One connection after another: many requests at once would hold up the rest of the page. */
const useHeld = (): ReadonlyArray<Held> => {
  const { data: connections } = useConnections()
  const ids = connections?.map(({ connection_id }) => connection_id)
  const { data: counts } = useWorkspaceQuery(
    ["connections", "held", ids],
    async ({ client, signal }) => {
      const counts = new Map<string, number>()
      for (const id of ids ?? []) counts.set(id, await heldIn(client, id, signal))
      return counts
    },
    { enabled: ids !== undefined, refetchInterval: SELDOM }
  )
  return (connections ?? [])
    .map((connection) => ({ connection, deletions: counts?.get(connection.connection_id) ?? 0 }))
    .filter(({ deletions }) => deletions > 0)
}

const LinkTo = ({ children, to: { connection_id: connectionId } }: {
  readonly to: SourceConnection
  readonly children: string
}) => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  return (
    <Link to="/w/$workspaceId/connections/$connectionId" params={{ workspaceId, connectionId }}>
      <bdi>{children}</bdi>
    </Link>
  )
}

/** Deletions of all connections that wait for confirmation. */
export const HeldOverview = () => {
  const held = useHeld()
  const [shown, more] = [held.slice(0, MOST), held.slice(MOST)]
  return (
    <>
      {shown.map(({ connection, deletions }) => (
        <div key={connection.connection_id} className="note warn" role="status">
          <strong className="wrap-anywhere">{amount(deletions, "deletion")} of “{connection.name}” to confirm</strong>
          <p>
            Many documents are gone at the source at once. They are kept here until somebody confirms their deletion.
          </p>
          <LinkTo to={connection}>Look at it</LinkTo>
        </div>
      ))}
      {more.length > 0 && (
        <div className="note warn" role="status">
          <strong>{amount(sumOf(more), "deletion")} of {amount(more.length, "more connection")} to confirm</strong>
          <details>
            <summary>Show them</summary>
            <ul>
              {more.map(({ connection, deletions }) => (
                <li key={connection.connection_id} className="wrap-anywhere">
                  <LinkTo to={connection}>{connection.name}</LinkTo>: {amount(deletions, "deletion")}
                </li>
              ))}
            </ul>
          </details>
        </div>
      )}
    </>
  )
}
