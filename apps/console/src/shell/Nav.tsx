import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { Icon } from "../ui/Icon.tsx"
import { menuFor } from "./menu.ts"

export const Nav = ({ onGo }: { readonly onGo: () => void }) => {
  const { isOwner, workspace } = useWorkspace()
  return (
    <nav className="nav" aria-label="Pages">
      {menuFor(isOwner).map(([title, pages]) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map(([to, icon, name]) => (
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
