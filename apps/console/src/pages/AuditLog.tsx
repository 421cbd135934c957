import { useInfiniteQuery } from "@tanstack/react-query"
import { type AuditLogEntry, consoleApi } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"

const DETAILS = 200

const Entry = (
  { entry: { action, actor, address, created_at, details, subject } }: { readonly entry: AuditLogEntry }
) => {
  const { me } = useWorkspace()
  const who = actor.id === me.user.user_id ? "you" : actor.id === "operator" ? "the operator" : actor.id
  return (
    <li>
      <div>
        <div className="row-title">
          <Badge tone="accent">{action}</Badge> by {who}
        </div>
        <div className="facts">
          {Object.entries(details).map(([name, value]) => (
            <span key={name}>
              {name}: {(typeof value === "string" ? value : JSON.stringify(value)).slice(0, DETAILS)}
            </span>
          ))}
          <span className="mono">{subject}</span>
          {address !== null && <span>from {address}</span>}
        </div>
      </div>
      <span className="small soft">
        <Moment at={created_at} />
      </span>
    </li>
  )
}

export const AuditLog = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: [workspace_id, "audit-log"],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => consoleApi.auditLog(workspace_id, pageParam),
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
  const entries = data?.pages.flatMap(({ entries }) => entries)
  return (
    <Page
      title="Audit log"
      lead="Who did what to keys, sessions, members and workspaces, and from where. Entries are kept for a year."
    >
      {error !== null && entries === undefined
        ? <Failure error={error} what="The audit log cannot be shown" retry={() => void refetch()} />
        : (
          <Card flush>
            {entries === undefined && <CardSkeleton lines={6} />}
            {entries?.length === 0 && (
              <Empty icon="audit" title="Nothing yet">
                <p>The first key, invitation or rename leaves an entry here.</p>
              </Empty>
            )}
            <ol className="rows">{entries?.map((entry) => <Entry key={entry.entry_id} entry={entry} />)}</ol>
            {hasNextPage && (
              <div className="result">
                <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show more</Button>
              </div>
            )}
          </Card>
        )}
    </Page>
  )
}
