import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { ProviderDescription } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ConnectionForm } from "../connections/ConnectionForm.tsx"
import { ProviderIcon } from "../connections/ProviderIcon.tsx"
import { useProviders } from "../connections/useConnections.ts"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Card, Empty, Page } from "../ui/Page.tsx"

interface PickerProps {
  readonly providers: ReadonlyArray<ProviderDescription>
  readonly chosen: ProviderDescription | null
  readonly onChoose: (provider: ProviderDescription) => void
}

const Picker = ({ chosen, onChoose, providers }: PickerProps) => (
  <fieldset className="picker">
    <legend className="hidden-text">Kind of source</legend>
    {providers.map((provider) => (
      <label key={provider.provider} className="choice">
        <input
          type="radio"
          name="provider"
          checked={chosen?.provider === provider.provider}
          onChange={() => onChoose(provider)}
        />
        <b className="with-icon">
          <ProviderIcon provider={provider.provider} />
          {provider.name}
        </b>
      </label>
    ))}
  </fieldset>
)

const PATH = "/w/$workspaceId/connections/new"

export const NewConnection = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const navigate = useNavigate({ from: PATH })
  const providers = useProviders()
  const { data } = providers
  const { provider } = useSearch({ from: PATH })
  const chosen = data?.find((one) => one.provider === provider) ?? null
  const choose = ({ provider }: ProviderDescription) => void navigate({ search: { provider }, replace: true })
  return (
    <Page
      title="Connect a source"
      lead="The source is tried first: nothing is kept until it answers. Then the first sync begins by itself."
      actions={<Link className="button" to="/w/$workspaceId/sources" params={{ workspaceId: workspace_id }}>Back</Link>}
    >
      <Card title="Where is the data?">
        {data === undefined && <NotLoaded query={providers} what="No source can be chosen" />}
        {data?.length === 0 && (
          <Empty icon="connections" title="This server offers no sources">
            <p>
              The operator of the server chooses what it can pull from. Programs can still push through a connector.
            </p>
          </Empty>
        )}
        {data !== undefined && data.length > 0 && <Picker providers={data} chosen={chosen} onChoose={choose} />}
      </Card>
      {chosen !== null && (
        <Card title={chosen.name}>
          <ConnectionForm
            key={chosen.provider}
            provider={chosen}
            connection={null}
            onDone={({ connection_id }) =>
              navigate({
                to: "/w/$workspaceId/connections/$connectionId",
                params: { workspaceId: workspace_id, connectionId: connection_id }
              })}
          />
        </Card>
      )}
    </Page>
  )
}
