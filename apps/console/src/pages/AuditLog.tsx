import { useNavigate, useSearch } from "@tanstack/react-router"
import { type AuditLogEntry, type AuditLogPage, type AuditLogQuery, consoleApi } from "../api/consoleApi.ts"
import { perPage, useWorkspacePages } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import type { Row } from "../lists/exporting.ts"
import { ListHead } from "../lists/ListHead.tsx"
import type { ListSearch } from "../lists/listSearch.ts"
import { useActorNames } from "../members/useActorNames.ts"
import { ForOwners } from "../shell/ForOwners.tsx"
import { Badge } from "../ui/Badge.tsx"
import { ShowMore } from "../ui/ShowMore.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Moment } from "../ui/time/Moment.tsx"
import { Card, Empty, Page } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/audit-log"

const DETAILS = 200

/** The actions that the server filters by, for each value of the address. */
const ACTIONS: Readonly<Record<string, string>> = {
  api_key: "api_key",
  session: "session,sessions,sign_in,sign_in_link",
  member: "member,invitation",
  workspace: "workspace,account,knowledge_range",
  source: "connector,connection",
  documents: "documents",
  webhook: "webhook",
  audit_log: "audit_log"
}

const CHOICES = {
  label: "Of what",
  of: [
    ["", "Everything"],
    ["api_key", "Keys"],
    ["session", "Sessions and sign-ins"],
    ["member", "Members and invitations"],
    ["workspace", "Workspaces"],
    ["source", "Connectors and connections"],
    ["documents", "Deleted documents"],
    ["webhook", "Webhooks"],
    ["audit_log", "Exports of this log"]
  ]
} as const

const queryOf = ({ is, q }: ListSearch): AuditLogQuery => ({ action: ACTIONS[is ?? ""], q: q?.trim() || undefined })

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

interface EntryProps {
  readonly entry: AuditLogEntry
  readonly who: string
}

const Entry = ({ entry: { action, address, created_at, details, subject }, who }: EntryProps) => (
  <li>
    <div>
      <div className="row-title">
        <Badge tone="accent">{action}</Badge>{" "}
        <span>
          by <bdi>{who}</bdi>
        </span>
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

const Entries = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const nameOf = useActorNames()
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const onSearch = (search: ListSearch) => void navigate({ search, replace: true })
  const listed = useWorkspacePages(
    ["audit-log", search],
    ({ cursor, workspaceId }) => consoleApi.auditLog(workspaceId, { ...queryOf(search), cursor }),
    { refetchInterval: perPage(10_000) }
  )
  const { data, hasNextPage } = listed
  const entries = data?.pages.flatMap(({ entries }) => entries)
  const isSought = Object.keys(search).length > 0
  const exported = async () => {
    let cursor: string | null = null
    const found: Array<Row> = []
    do {
      const page: AuditLogPage = await consoleApi.auditLog(workspace_id, { ...queryOf(search), cursor, export: true })
      found.push(...page.entries.map(rowOf))
      cursor = page.next_cursor
    } while (cursor !== null)
    return found
  }
  return (
    <Page
      title="Audit log"
      lead="Who did what to keys, sessions, members and workspaces, and from where. Entries are kept for a year."
    >
      <Card flush>
        {(isSought || entries?.length !== 0) && (
          <ListHead label="Find an entry" search={search} onSearch={onSearch} choices={CHOICES}>
            <ExportButtons name="audit-log" rows={exported} />
          </ListHead>
        )}
        {entries === undefined && <NotLoaded flush query={listed} what="The audit log cannot be shown" lines={6} />}
        {entries?.length === 0 && isSought && !hasNextPage && (
          <Empty icon="search" title="No entry matches">
            <p>This looks at who, what, from where, and at the details of all entries.</p>
          </Empty>
        )}
        {entries?.length === 0 && !isSought && (
          <Empty icon="audit" title="Nothing yet">
            <p>The first key, invitation or rename leaves an entry here.</p>
          </Empty>
        )}
        <ol className="rows">
          {entries?.map((entry) => <Entry key={entry.entry_id} entry={entry} who={nameOf(entry.actor)} />)}
        </ol>
        <ShowMore list={listed} />
      </Card>
    </Page>
  )
}

export const AuditLog = () => (
  <ForOwners title="Audit log">
    <Entries />
  </ForOwners>
)
