import { Link } from "@tanstack/react-router"
import type { SourceConnection, SyncState } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ProviderIcon } from "../connections/ProviderIcon.tsx"
import { ConnectionBadge } from "../connections/StatusBadges.tsx"
import { syncInWords } from "../connections/syncConfig.ts"
import { isUnderWay, useSyncStates } from "../connections/useConnections.ts"
import { Badge } from "../ui/Badge.tsx"
import { amount } from "../ui/numbers.ts"
import { dateOf, Moment } from "../ui/time/Moment.tsx"
import { useSeen } from "../ui/useSeen.ts"

const MINUTE = 60_000

interface Props {
  readonly connection: SourceConnection
  readonly providerName: string
}

/** Milliseconds since 1970; null when none is planned, or nobody but the source knows. */
const nextSync = (
  { status, sync_config }: SourceConnection,
  states: ReadonlyArray<SyncState>
): number | null => {
  const completed = states.filter((state) => state.status === "completed")
  if (status !== "active" || states.some(isUnderWay) || completed.length === 0) return null
  const oldest = Math.min(...completed.map(({ updated_at }) => dateOf(updated_at).getTime()))
  return oldest + sync_config.interval_minutes * MINUTE
}

const Next = ({ at }: { readonly at: number }) => (
  <span>
    {at <= Date.now() ? "next sync any moment" : (
      <>
        next sync about <Moment at={new Date(at)} />
      </>
    )}
  </span>
)

const latestOf = (states: ReadonlyArray<SyncState>): string | undefined =>
  states.map(({ last_synced_at }) => last_synced_at).filter((at) => at !== null)
    .toSorted((left, right) => right.localeCompare(left))[0]

export const PulledRow = ({ connection, providerName }: Props) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [row, seen] = useSeen<HTMLLIElement>()
  const { connection_id, error, name, provider, status, sync_config } = connection
  const { data: states } = useSyncStates(connection_id, { enabled: seen })
  const held = (states ?? []).reduce((sum, { deletions_held }) => sum + deletions_held, 0)
  const failed = (states ?? []).filter((state) => state.status === "failed").length
  const documents = (states ?? []).reduce((sum, { documents }) => sum + (documents ?? 0), 0)
  const latest = latestOf(states ?? [])
  const next = nextSync(connection, states ?? [])
  return (
    <li ref={row}>
      <div className="with-icon">
        <ProviderIcon provider={provider} />
        <div>
          <div className="row-title">
            <Link
              to="/w/$workspaceId/connections/$connectionId"
              params={{ workspaceId: workspace_id, connectionId: connection_id }}
            >
              {name}
            </Link>
            <ConnectionBadge status={status} />
            {(states ?? []).some(isUnderWay) && <Badge tone="accent">Syncing</Badge>}
            {failed > 0 && status !== "error" && <Badge tone="bad">{failed} failed</Badge>}
            {held > 0 && <Badge tone="warn">{amount(held, "deletion")} to confirm</Badge>}
          </div>
          <div className="facts">
            <span>{providerName}</span>
            <span>{syncInWords(sync_config)}</span>
            {states !== undefined && (
              <span>
                {latest === undefined ? "not synced yet" : (
                  <>
                    synced <Moment at={latest} />
                  </>
                )}
              </span>
            )}
            {next !== null && <Next at={next} />}
          </div>
          {error !== null && <p className="small bad-text wrap-anywhere">{error}</p>}
        </div>
      </div>
      {states !== undefined && (
        <Link
          className="small numeric"
          to="/w/$workspaceId/documents"
          params={{ workspaceId: workspace_id }}
          search={{ source: `${provider}:${connection_id}` }}
        >
          {amount(documents, "document")}
        </Link>
      )}
    </li>
  )
}
