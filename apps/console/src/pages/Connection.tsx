import { isUnderWay } from "@tributary/core/model/isUnderWay"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import type { ProviderDescription, SourceConnection } from "../api/models.ts"
import { useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { ConnectionForm } from "../connections/ConnectionForm.tsx"
import { DeleteConnection } from "../connections/DeleteConnection.tsx"
import { Runs } from "../connections/Runs.tsx"
import { configShape, fieldsOf } from "../connections/schemaFields.ts"
import { ConnectionBadge } from "../connections/StatusBadges.tsx"
import { syncInWords } from "../connections/syncConfig.ts"
import { SyncRow } from "../connections/SyncRow.tsx"
import { useConnection, useProviders, useSyncStates } from "../connections/useConnections.ts"
import { DocumentSearch } from "../connectors/DocumentSearch.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { PageNotLoaded } from "../ui/PageNotLoaded.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { useWork } from "../ui/feedback/useWork.ts"
import { useChange } from "../ui/feedback/useChange.ts"

const PATH = "/w/$workspaceId/connections/$connectionId"

/** Polled often, because the person may have just changed something. */
const WATCHED = 2_000

const Resources = ({ states }: { readonly states: ReturnType<typeof useSyncStates> }) => (
  <Card flush title="Syncs">
    {states.data === undefined && <NotLoaded flush query={states} what="The syncs cannot be shown" />}
    <ul className="rows">{states.data?.map((state) => <SyncRow key={state.resource} state={state} />)}</ul>
  </Card>
)

const Configuration = (
  { config, provider }: Pick<SourceConnection, "config"> & { readonly provider: ProviderDescription }
) => (
  <Card title="Configuration">
    <dl className="stack small">
      {fieldsOf(configShape(provider.config_schema)).flatMap(({ label, name }) => {
        const value = config[name]
        return value === undefined ? [] : (
          <div key={name} className="wrap-anywhere">
            <dt className="soft">{label}</dt>
            <dd className="mono">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        )
      })}
    </dl>
    <p className="small soft">Secrets are kept encrypted, and are not shown.</p>
  </Card>
)

const Shown = ({ connection }: { readonly connection: SourceConnection }) => {
  const { client } = useWorkspace()
  const { connection_id, error, name, provider, status, sync_config } = connection
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const providers = useProviders()
  const states = useSyncStates(connection_id, { idle: WATCHED })
  const [open, setOpen] = useState<"edit" | "delete" | null>(null)
  const work = useWork()
  const description = providers.data?.find((one) => one.provider === provider)
  const isPaused = status === "paused"
  const change = useChange("connections")
  const run = (act: () => Promise<unknown>, said: string) => void work.run(() => change(act, said))
  const syncing = states.data?.every(isUnderWay) === true

  return (
    <Page
      title={name}
      lead={
        <span className="facts">
          <ConnectionBadge status={status} />
          <span>{description?.name ?? provider}</span>
          <span>{syncInWords(sync_config)}</span>
        </span>
      }
      actions={
        <>
          {isPaused
            ? (
              <Button
                kind="primary"
                busy={work.busy}
                onClick={() =>
                  run(() => client.connections.update(connection_id, { status: "active" }), "It is pulled again.")}
              >
                Resume
              </Button>
            )
            : (
              <>
                <Button
                  kind="primary"
                  busy={work.busy}
                  aria-disabled={syncing}
                  onClick={() =>
                    !syncing &&
                    run(() => client.connections.sync(connection_id), "A sync of everything has started.")}
                >
                  Sync now
                </Button>
                <Button
                  busy={work.busy}
                  onClick={() =>
                    run(() => client.connections.update(connection_id, { status: "paused" }), "It is paused.")}
                >
                  Pause
                </Button>
              </>
            )}
          <Button aria-disabled={description === undefined} onClick={() => setOpen("edit")}>Edit</Button>
          <Button kind="quiet bad" onClick={() => setOpen("delete")}>Delete</Button>
        </>
      }
    >
      {error !== null && (
        <div className="note bad" role="alert">
          <strong>It is not pulled until somebody fixes it</strong>
          <p className="wrap-anywhere">{error}</p>
          <p>Edit it, or put right at the source what is wrong and sync now.</p>
        </div>
      )}
      {isPaused && (
        <p className="note warn">
          Nothing is pulled while it is paused. What it brought in is still found. When it is resumed, it continues from
          where it was.
        </p>
      )}
      {work.error !== null && <Failure error={work.error} />}
      <Resources states={states} />
      <Runs connectionId={connection_id} />
      <DocumentSearch
        source={`${provider}:${connection_id}`}
        hint="What this connection brought in, in the context or not."
        search={search}
        onSearch={(search) => void navigate({ search })}
      />
      {description !== undefined && <Configuration config={connection.config} provider={description} />}
      {open === "edit" && description !== undefined && (
        <Dialog title={`Edit “${name}”`} onClose={() => setOpen(null)}>
          <ConnectionForm
            provider={description}
            connection={connection}
            onDone={() => {
              setOpen(null)
              toast("Saved.")
            }}
          />
        </Dialog>
      )}
      {open === "delete" && <DeleteConnection connection={connection} onClose={() => setOpen(null)} />}
    </Page>
  )
}

export const ConnectionPage = () => {
  const { connectionId } = useParams({ from: PATH })
  const found = useConnection(connectionId)
  return found.data === undefined
    ? <PageNotLoaded title="Connection" query={found} what="The connection cannot be shown" />
    : <Shown connection={found.data} />
}
