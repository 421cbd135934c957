import { useInfiniteQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect } from "react"
import { type AuditLogEntry, type AuditLogPage, consoleApi } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import type { Row } from "../lists/exporting.ts"
import { ListHead } from "../lists/ListHead.tsx"
import { hasWords, type ListSearch } from "../lists/listSearch.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Moment } from "../ui/time/Moment.tsx"
import { counted } from "../ui/numbers.ts"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/audit-log"

const DETAILS = 200

/** As many as are looked through for what somebody seeks, and as an export takes along. */
const MOST = 5_000

const ACTIONS = {
  label: "Of what",
  of: [
    ["", "Everything"],
    ["api_key", "Keys"],
    ["session", "Sessions and sign-ins"],
    ["member", "Members and invitations"],
    ["workspace", "Workspaces"]
  ]
} as const

/** The first words of the actions that belong to a choice. */
const BEGINNINGS: Readonly<Record<string, ReadonlyArray<string>>> = {
  api_key: ["api_key."],
  session: ["session.", "sessions.", "sign_in_link."],
  member: ["member.", "invitation."],
  workspace: ["workspace."]
}

const matches = (search: ListSearch) => ({ action, actor, address, details, subject }: AuditLogEntry): boolean =>
  (BEGINNINGS[search.is ?? ""] ?? [""]).some((beginning) => action.startsWith(beginning)) &&
  hasWords(search, action, actor.id, address, subject, JSON.stringify(details))

const rowOf = ({ action, actor, address, created_at, details, entry_id, subject }: AuditLogEntry): Row => ({
  entry_id,
  created_at,
  action,
  actor_type: actor.type,
  actor: actor.id,
  subject,
  address,
  details: JSON.stringify(details)
})

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
  const search = useSearch({ from: PATH })
  const navigate = useNavigate()
  const onSearch = (search: ListSearch) =>
    void navigate({ to: PATH, params: { workspaceId: workspace_id }, search, replace: true })
  const all = data?.pages.flatMap(({ entries }) => entries)
  const entries = all?.filter(matches(search))
  const read = all?.length ?? 0
  const isSought = Object.keys(search).length > 0
  const isReading = isSought && hasNextPage && read < MOST
  useEffect(() => {
    if (isReading && !isFetchingNextPage && error === null) void fetchNextPage()
  }, [isReading, isFetchingNextPage, read])
  const exported = async () => {
    let cursor: string | null = null
    const found: Array<AuditLogEntry> = []
    do {
      const page: AuditLogPage = await consoleApi.auditLog(workspace_id, cursor)
      found.push(...page.entries)
      cursor = page.next_cursor
    } while (cursor !== null && found.length < MOST)
    return found.filter(matches(search)).map(rowOf)
  }
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
            {read > 0 && (
              <ListHead label="Find an entry" search={search} onSearch={onSearch} choices={ACTIONS}>
                {isReading && <span role="status" className="small soft">Looking through {counted(read)}…</span>}
                <ExportButtons name="audit-log" rows={exported} />
              </ListHead>
            )}
            {entries?.length === 0 && isSought && !isReading && (
              <Empty icon="search" title="No entry matches">
                <p>This looks at who, what, from where, and at the details of {counted(read)} entries.</p>
              </Empty>
            )}
            {entries?.length === 0 && !isSought && (
              <Empty icon="audit" title="Nothing yet">
                <p>The first key, invitation or rename leaves an entry here.</p>
              </Empty>
            )}
            <ol className="rows">{entries?.map((entry) => <Entry key={entry.entry_id} entry={entry} />)}</ol>
            {hasNextPage && !isReading && (
              <div className="result">
                <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show more</Button>
              </div>
            )}
          </Card>
        )}
    </Page>
  )
}
