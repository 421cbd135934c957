import { Link } from "@tanstack/react-router"
import type { SourceConnection } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ProviderIcon } from "../connections/ProviderIcon.tsx"
import { ConnectionBadge } from "../connections/StatusBadges.tsx"
import { syncInWords } from "../connections/syncConfig.ts"
import { isUnderWay, useConnections, useProviders, useSyncStates } from "../connections/useConnections.ts"
import { Badge } from "../ui/Badge.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Moment } from "../ui/Moment.tsx"
import { amount } from "../ui/numbers.ts"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"

const Row = (
  { connection, providerName }: { readonly connection: SourceConnection; readonly providerName: string }
) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const { data: states = [] } = useSyncStates(connection.connection_id)
  const held = states.reduce((sum, { deletions_held }) => sum + deletions_held, 0)
  const failed = states.filter(({ status }) => status === "failed").length
  const synced = states.map(({ last_synced_at }) => last_synced_at).filter((at) => at !== null)
  const latest = synced.toSorted((left, right) => right.localeCompare(left))[0]
  return (
    <li>
      <div className="with-icon">
        <ProviderIcon provider={connection.provider} />
        <div>
          <div className="row-title">
            <Link
              to="/w/$workspaceId/connections/$connectionId"
              params={{ workspaceId: workspace_id, connectionId: connection.connection_id }}
            >
              {connection.name}
            </Link>
            <ConnectionBadge status={connection.status} />
            {states.some(isUnderWay) && <Badge tone="accent">Syncing</Badge>}
            {failed > 0 && connection.status !== "error" && <Badge tone="bad">{failed} failed</Badge>}
            {held > 0 && <Badge tone="warn">{amount(held, "deletion")} to confirm</Badge>}
          </div>
          <div className="facts">
            <span>{providerName}</span>
            <span>{syncInWords(connection.sync_config)}</span>
            <span>
              {latest === undefined ? "not synced yet" : (
                <>
                  synced <Moment at={latest} />
                </>
              )}
            </span>
          </div>
          {connection.error !== null && <p className="small bad-text wrap-anywhere">{connection.error}</p>}
        </div>
      </div>
    </li>
  )
}

export const Connections = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const { data, error, refetch } = useConnections()
  const providers = useProviders()
  const nameOf = (provider: string): string =>
    providers.data?.find((one) => one.provider === provider)?.name ?? provider
  const toNew = (label: string) => (
    <Link className="button primary" to="/w/$workspaceId/connections/new" params={{ workspaceId: workspace_id }}>
      <Icon name="plus" />
      {label}
    </Link>
  )
  return (
    <Page
      title="Connections"
      lead="A connection brings data in by itself: the server pulls from the source on a schedule."
      actions={toNew("Connect a source")}
    >
      {error !== null && data === undefined
        ? <Failure error={error} what="The connections cannot be shown" retry={() => void refetch()} />
        : (
          <Card flush>
            {data === undefined && <CardSkeleton />}
            {data?.length === 0 && (
              <Empty icon="connections" title="Nothing is connected yet">
                <p>
                  Connect where your data is already: once it is set up, what is new, changed or gone there arrives here
                  without anybody pushing it. For data that has no such place, make a connector.
                </p>
                {toNew("Connect the first source")}
              </Empty>
            )}
            <ul className="rows">
              {data?.map((connection) => (
                <Row
                  key={connection.connection_id}
                  connection={connection}
                  providerName={nameOf(connection.provider)}
                />
              ))}
            </ul>
          </Card>
        )}
    </Page>
  )
}
