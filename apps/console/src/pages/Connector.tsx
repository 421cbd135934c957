import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ConnectorForm } from "../connectors/ConnectorForm.tsx"
import { Documents } from "../connectors/Documents.tsx"
import { UploadCard } from "../uploads/UploadCard.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Page } from "../ui/Page.tsx"
import { PageNotLoaded } from "../ui/PageNotLoaded.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { attempt } from "../ui/feedback/useWork.ts"
import { useChange } from "../ui/feedback/useChange.ts"

const PATH = "/w/$workspaceId/connectors/$connectorId"

export const ConnectorPage = () => {
  const { client } = useWorkspace()
  const change = useChange("connectors")
  const { connectorId } = useParams({ from: PATH })
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const [open, setOpen] = useState<"edit" | "deactivate" | null>(null)
  const found = useWorkspaceQuery(
    ["connectors", connectorId],
    ({ client, signal }) => client.connectors.get(connectorId, { signal })
  )
  const { data } = found
  if (data === undefined) {
    return <PageNotLoaded title="Connector" query={found} what="The connector cannot be shown" />
  }
  const reactivate = () =>
    attempt(() =>
      change(
        () => client.connectors.update(connectorId, { is_active: true }),
        `“${data.name}” takes documents again.`
      )
    )
  return (
    <Page
      title={data.name}
      lead={
        <span className="facts">
          <Badge tone={data.is_active ? "good" : "plain"}>{data.is_active ? "Active" : "Inactive"}</Badge>
          <span className="mono">custom:{data.source_name}</span>
        </span>
      }
      actions={
        <>
          <Button onClick={() => setOpen("edit")}>Edit</Button>
          {data.is_active
            ? <Button kind="quiet bad" onClick={() => setOpen("deactivate")}>Deactivate</Button>
            : <Button onClick={() => reactivate()}>Reactivate</Button>}
        </>
      }
    >
      {data.is_active
        ? <UploadCard connectorId={connectorId} />
        : (
          <p className="note warn">
            This connector takes no documents until it is reactivated. What it delivered is still found.
          </p>
        )}
      <Documents
        connector={data}
        search={search}
        onSearch={(search) => void navigate({ search })}
      />
      {open === "edit" && (
        <Dialog title={`Edit “${data.name}”`} onClose={() => setOpen(null)}>
          <ConnectorForm
            connector={data}
            onDone={() => {
              setOpen(null)
              toast("Saved.")
            }}
          />
        </Dialog>
      )}
      {open === "deactivate" && (
        <Confirm
          title={`Deactivate “${data.name}”?`}
          action="Deactivate"
          onConfirm={() =>
            change(() => client.connectors.delete(connectorId), `“${data.name}” takes no more documents.`)}
          onClose={() => setOpen(null)}
        >
          <p>
            Programs that push through it are refused from now on. Its documents stay, and you can reactivate it at any
            time.
          </p>
        </Confirm>
      )}
    </Page>
  )
}
