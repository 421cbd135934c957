import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"

const GROUPS = [
  ["Workspace", [
    ["/w/$workspaceId", "overview", "Overview"],
    ["/w/$workspaceId/playground", "playground", "Playground"],
    ["/w/$workspaceId/documents", "file", "Documents"],
    ["/w/$workspaceId/connectors", "connectors", "Connectors"],
    ["/w/$workspaceId/connections", "connections", "Connections"],
    ["/w/$workspaceId/knowledge", "knowledge", "Knowledge"],
    ["/w/$workspaceId/jobs", "jobs", "Ask jobs"],
    ["/w/$workspaceId/events", "events", "Events"]
  ]],
  ["Settings", [
    ["/w/$workspaceId/keys", "keys", "API keys"],
    ["/w/$workspaceId/members", "members", "Members"],
    ["/w/$workspaceId/audit-log", "audit", "Audit log"],
    ["/w/$workspaceId/account", "account", "Your account"]
  ]]
] as const satisfies ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, IconName, string]>]>

/** Members may not read these. */
const OWNERS: ReadonlyArray<string> = ["keys", "audit"]

export const Nav = ({ onGo }: { readonly onGo: () => void }) => {
  const { isOwner, workspace } = useWorkspace()
  return (
    <nav className="nav" aria-label="Pages">
      {GROUPS.map(([title, pages]) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.filter(([, icon]) => isOwner || !OWNERS.includes(icon)).map(([to, icon, name]) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ workspaceId: workspace.workspace_id }}
                  activeOptions={{ exact: to === "/w/$workspaceId" }}
                  activeProps={{ className: "active", "aria-current": "page" }}
                  onClick={onGo}
                >
                  <Icon name={icon} />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
