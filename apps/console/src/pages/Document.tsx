import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { SourceName } from "../connections/SourceName.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Failure } from "../ui/Failure.tsx"
import { dayOf, Moment } from "../ui/Moment.tsx"
import { bytes } from "../ui/numbers.ts"
import { Card, Page, Skeleton } from "../ui/Page.tsx"
import { isMarkdown } from "../text/isMarkdown.ts"
import { LongText } from "../text/LongText.tsx"
import type { Stretches } from "../text/Markdown.tsx"
import { occurrencesOf } from "../text/occurrences.ts"
import { Occurrences } from "../text/Occurrences.tsx"
import { toast } from "../ui/Toasts.tsx"

/** Only addresses of the web are links; what else a document says stays text. */
const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)

export const DocumentPage = () => {
  const { client, workspace } = useWorkspace()
  const { documentId } = useParams({ from: "/w/$workspaceId/documents/$documentId" })
  const { end, find, start } = useSearch({ from: "/w/$workspaceId/documents/$documentId" })
  const { data, error, refetch } = useQuery({
    queryKey: [workspace.workspace_id, "document", documentId],
    queryFn: ({ signal }) => client.documents.get(documentId, { signal })
  })
  const [deleting, setDeleting] = useState(false)
  const [asStored, setAsStored] = useState(false)
  const [current, setCurrent] = useState(0)
  const navigate = useNavigate()
  const router = useRouter()

  const text = data?.text ?? ""
  const stretches = useMemo((): Stretches => {
    if (start !== undefined && end !== undefined) return [[start, end]]
    return find === undefined ? [] : occurrencesOf(text, find)
  }, [text, start, end, find])
  const markdown = data !== undefined && isMarkdown(data)

  if (data === undefined) {
    return (
      <Page title="Document">
        {error === null
          ? (
            <Card>
              <Skeleton lines={9} />
            </Card>
          )
          : <Failure error={error} what="The document cannot be shown" retry={() => void refetch()} />}
      </Page>
    )
  }
  const remove = async () => {
    await client.documents.delete(documentId)
    await queries.invalidateQueries({ queryKey: [workspace.workspace_id] })
    toast("The document is deleted.")
    await navigate({ to: "/w/$workspaceId/documents", params: { workspaceId: workspace.workspace_id } })
  }

  return (
    <Page
      title={data.title ?? data.external_id}
      lead={
        <span className="facts">
          <Badge tone={data.in_context ? "accent" : "plain"}>
            {data.in_context ? "In the context" : "Outside the context"}
          </Badge>
          <SourceName source={data.source} />
          <span>{data.kind}</span>
          <span>{dayOf(data.timestamp)}</span>
          <span>{bytes(data.size)}</span>
          <span>
            taken in <Moment at={data.created_at} />
          </span>
          <span>
            changed <Moment at={data.updated_at} />
          </span>
        </span>
      }
      actions={
        <>
          <Button onClick={() => router.history.back()}>Back</Button>
          <Button kind="quiet bad" onClick={() => setDeleting(true)}>Delete</Button>
        </>
      }
    >
      <Card
        title="Text"
        aside={
          <div className="buttons">
            {find !== undefined && (
              <Occurrences count={stretches.length} current={current} onChange={setCurrent} words={find} />
            )}
            {markdown && (
              <div className="tabs" role="group" aria-label="How it is shown">
                <button type="button" aria-pressed={!asStored} onClick={() => setAsStored(false)}>Rendered</button>
                <button type="button" aria-pressed={asStored} onClick={() => setAsStored(true)}>As stored</button>
              </div>
            )}
          </div>
        }
      >
        {text === ""
          ? <span className="soft">This document has no text.</span>
          : (
            <LongText
              text={text}
              rendered={markdown && !asStored}
              stretches={stretches}
              current={stretches.length === 0 ? null : current}
            />
          )}
      </Card>
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
      {deleting && (
        <Confirm
          title="Delete this document?"
          action="Delete document"
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          <p className="wrap-anywhere">
            “{data.title ?? data.external_id}” is gone from storage, from search and from every answer at once. Its
            source may send it again.
          </p>
        </Confirm>
      )}
    </Page>
  )
}
