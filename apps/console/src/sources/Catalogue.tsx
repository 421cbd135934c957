import { Link } from "@tanstack/react-router"
import { useServer } from "../api/useServer.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ProviderIcon } from "../connections/ProviderIcon.tsx"
import { useProviders } from "../connections/useConnections.ts"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Card } from "../ui/Page.tsx"

/** Everything that this server takes documents from. */
export const Catalogue = ({ onPush }: { readonly onPush: () => void }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const providers = useProviders()
  const { mcp } = useServer()
  const params = { workspaceId: workspace_id }
  return (
    <Card title="What can be connected">
      <ul className="picker narrow">
        <li>
          <button type="button" className="button" onClick={onPush}>
            <Icon name="connectors" />Connector, for documents that you push
          </button>
        </li>
        {providers.data?.map(({ name, provider }) => (
          <li key={provider}>
            <Link className="button" to="/w/$workspaceId/connections/new" params={params} search={{ provider }}>
              <ProviderIcon provider={provider} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {providers.data === undefined && (
        <NotLoaded query={providers} what="What can be pulled from cannot be shown" lines={2} />
      )}
      {mcp && (
        <p className="small soft">
          Assistants can add documents, too, with a key that may push: see{" "}
          <Link to="/w/$workspaceId/connect" params={params}>Connect</Link>.
        </p>
      )}
    </Card>
  )
}
