import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { useProviders } from "../connections/useConnections.ts"
import { CreateConnector } from "../connectors/CreateConnector.tsx"
import { ListHead } from "../lists/ListHead.tsx"
import type { ListSearch } from "../lists/listSearch.ts"
import { Catalogue } from "../sources/Catalogue.tsx"
import { PulledRow } from "../sources/PulledRow.tsx"
import { PushedRow } from "../sources/PushedRow.tsx"
import { useSources } from "../sources/useSources.ts"
import { FirstFiles } from "../uploads/FirstFiles.tsx"
import { Button } from "../ui/Button.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Icon } from "../ui/Icon.tsx"
import { amount } from "../ui/numbers.ts"
import { Card, Empty, Page } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/sources"

const WAYS = {
  label: "Kind",
  of: [
    ["", "Pushed and pulled"],
    ["push", "Connectors, pushed through"],
    ["pull", "Connections, pulled from"],
    ["attention", "Needs attention"]
  ]
} as const

export const Sources = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const { query, sources, total } = useSources(search)
  const providers = useProviders()
  const [creating, setCreating] = useState(false)
  const params = { workspaceId: workspace_id }
  const onSearch = (search: ListSearch) => void navigate({ search, replace: true })
  const nameOf = (provider: string): string =>
    providers.data?.find((one) => one.provider === provider)?.name ?? provider
  return (
    <Page
      title="Sources"
      lead="Where documents come from: connectors, which programs and people push through, and connections, which the server pulls on a schedule."
      actions={
        <>
          <Button onClick={() => setCreating(true)}>
            <Icon name="plus" />Create connector
          </Button>
          <Link className="button primary" to="/w/$workspaceId/connections/new" params={params}>
            <Icon name="plus" />Connect a source
          </Link>
        </>
      }
    >
      {total === 0
        ? (
          <Card>
            <Empty icon="connections" title="No source yet">
              <p>
                Drop a few files here and ask about them a moment later. For data that keeps coming, make a connector
                and push through it, or connect where the data is already.
              </p>
            </Empty>
            <FirstFiles />
          </Card>
        )
        : (
          <Card flush>
            <ListHead label="Find a source" search={search} onSearch={onSearch} choices={WAYS}>
              <span role="status" className="numeric soft">
                {sources !== undefined && amount(sources.length, "source")}
              </span>
            </ListHead>
            {sources === undefined && <NotLoaded flush query={query} what="The sources cannot be shown" lines={6} />}
            {sources?.length === 0 && (
              search.is === "attention" && search.q === undefined
                ? (
                  <Empty icon="connections" title="Nothing needs attention">
                    <p>No connection fails, and no deletions wait for confirmation.</p>
                  </Empty>
                )
                : (
                  <Empty icon="search" title="No source matches">
                    <p>This looks at the names. The list of documents finds what is in them.</p>
                  </Empty>
                )
            )}
            <ul className="rows" aria-label="Sources">
              {sources?.map((source) =>
                source.way === "push"
                  ? <PushedRow key={source.id} connector={source.connector} />
                  : (
                    <PulledRow
                      key={source.id}
                      connection={source.connection}
                      providerName={nameOf(source.connection.provider)}
                    />
                  )
              )}
            </ul>
          </Card>
        )}
      <Catalogue onPush={() => setCreating(true)} />
      {creating && <CreateConnector onClose={() => setCreating(false)} />}
    </Page>
  )
}
