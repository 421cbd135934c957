import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { SourceName } from "../sources/SourceName.tsx"
import { DeleteDocument } from "../documents/DeleteDocument.tsx"
import { documentName } from "../documents/documentName.ts"
import { CitedIn } from "../documents/CitedIn.tsx"
import { DocumentText } from "../documents/DocumentText.tsx"
import { DocumentTimes } from "../documents/DocumentTimes.tsx"
import { isWeb } from "../text/isWeb.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { dayOf, Moment } from "../ui/time/Moment.tsx"
import { bytes } from "../ui/numbers.ts"
import { Card, Page } from "../ui/Page.tsx"
import { PageNotLoaded } from "../ui/PageNotLoaded.tsx"

export const DocumentPage = () => {
  const { workspace } = useWorkspace()
  const { documentId } = useParams({ from: "/w/$workspaceId/documents/$documentId" })
  const place = useSearch({ from: "/w/$workspaceId/documents/$documentId" })
  const found = useWorkspaceQuery(
    ["document", documentId],
    ({ client, signal }) => client.documents.get(documentId, { signal })
  )
  const [deleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const router = useRouter()

  const { data } = found
  if (data === undefined) {
    return <PageNotLoaded title="Document" query={found} what="The document cannot be shown" />
  }
  const toDocuments = () =>
    navigate({ to: "/w/$workspaceId/documents", params: { workspaceId: workspace.workspace_id } })

  return (
    <Page
      title={documentName(data)}
      lead={
        <span className="facts">
          <Badge tone={data.in_context ? "accent" : "plain"}>
            {data.in_context ? "In the context" : "Outside the context"}
          </Badge>
          <SourceName source={data.source} />
          <span>{data.kind}</span>
          <span>
            {dayOf(data.timestamp)}
            {data.ends_at !== null && ` to ${dayOf(data.ends_at)}`}
          </span>
          <span>{bytes(data.size)}</span>
          <span>
            changed <Moment at={data.updated_at} />
          </span>
        </span>
      }
      actions={
        <>
          <Button onClick={() => router.history.canGoBack() ? router.history.back() : toDocuments()}>Back</Button>
          <Button kind="quiet bad" onClick={() => setDeleting(true)}>Delete</Button>
        </>
      }
    >
      <DocumentText key={documentId} document={data} place={place} />
      <DocumentTimes document={data} />
      <CitedIn documentId={documentId} />
      <Card title="Data">
        <dl className="stack small">
          {[["Document", data.document_id], ["External id", data.external_id], ...Object.entries(data.metadata)].map((
            [name, value]
          ) => (
            <div key={name} className="wrap-anywhere">
              <dt className="soft">{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ))}
          {data.url !== null && (
            <div className="wrap-anywhere">
              <dt className="soft">Address</dt>
              <dd>
                {isWeb(data.url)
                  ? <a href={data.url} rel="noreferrer noopener" target="_blank">{data.url}</a>
                  : data.url}
              </dd>
            </div>
          )}
        </dl>
        {data.payload !== null && <CodeBlock title="As it was sent" code={JSON.stringify(data.payload, null, 2)} />}
      </Card>
      {deleting && <DeleteDocument document={data} onDeleted={toDocuments} onClose={() => setDeleting(false)} />}
    </Page>
  )
}
