import { isUnderWay } from "@tributary/core/model/isUnderWay"
import { Link } from "@tanstack/react-router"
import type { SourceConnection, SyncState } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ProviderIcon } from "../connections/ProviderIcon.tsx"
import { ConnectionBadge } from "../connections/StatusBadges.tsx"
import { syncInWords } from "../connections/syncConfig.ts"
import { useSyncStates } from "../connections/useConnections.ts"
import { Badge } from "../ui/Badge.tsx"
import { amount } from "../ui/numbers.ts"
import { dateOf, Moment } from "../ui/time/Moment.tsx"
import { useSeen } from "../ui/useSeen.ts"
import { SourceRow } from "./SourceRow.tsx"
import { Latest } from "../ui/time/Latest.tsx"

const MINUTE = 60_000

interface Props {
  readonly connection: SourceConnection
  readonly providerName: string
}

/** Milliseconds since 1970, or null if no sync is scheduled. */
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
        next sync <Moment at={new Date(at)} />
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
  const next = nextSync(connection, states ?? [])
  return (
    <SourceRow
      row={row}
      icon={<ProviderIcon provider={provider} />}
      name={
        <Link
          to="/w/$workspaceId/connections/$connectionId"
          params={{ workspaceId: workspace_id, connectionId: connection_id }}
        >
          {name}
        </Link>
      }
      badges={
        <>
          <ConnectionBadge status={status} />
          {(states ?? []).some(isUnderWay) && <Badge tone="accent">Syncing</Badge>}
          {failed > 0 && status !== "error" && <Badge tone="bad">{failed} failed</Badge>}
          {held > 0 && <Badge tone="warn">{amount(held, "deletion")} to confirm</Badge>}
        </>
      }
      facts={
        <>
          <span>{providerName}</span>
          <span>{syncInWords(sync_config)}</span>
          {states !== undefined && <Latest what="synced" at={latestOf(states)} never="not synced yet" />}
          {next !== null && <Next at={next} />}
        </>
      }
      error={error}
      source={`${provider}:${connection_id}`}
      documents={states === undefined ? undefined : amount(documents, "document")}
    />
  )
}
