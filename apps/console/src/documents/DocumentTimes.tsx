import type { FullDocument } from "../api/models.ts"
import { useWorkspacePages } from "../api/useWorkspaceQuery.ts"
import { Button } from "../ui/Button.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Card } from "../ui/Page.tsx"
import { dateOf, Exactly, Moment } from "../ui/time/Moment.tsx"

const isSame = (one: Date | string, other: Date | string): boolean => dateOf(one).getTime() === dateOf(other).getTime()

/** When the versions of the last 90 days came, if there is more than one. */
const Versions = ({ documentId }: { readonly documentId: string }) => {
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useWorkspacePages(
    ["document", documentId, "events"],
    ({ client, cursor, signal }) => client.events.of(documentId, cursor, { signal })
  )
  const events = data?.pages.flatMap(({ items }) => items) ?? []
  const versions = events.filter(({ type }) => type !== "document.deleted")
  if (versions.length < 2) return null
  return (
    <details className="small">
      <summary>
        {hasNextPage ? `The first ${counted(versions.length)} versions` : amount(versions.length, "version")}{" "}
        of the last 90 days
      </summary>
      <ol className="stack choices" aria-label="Versions">
        {versions.map(({ created_at, event_id, type }) => (
          <li key={event_id}>
            {type === "document.created" ? "First version" : "Changed"}, <Exactly at={created_at} />{" "}
            <span className="soft">
              (<Moment at={created_at} />)
            </span>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show later versions
        </Button>
      )}
    </details>
  )
}

/** The source's own time, and when its versions came: the first one and the one that is stored. */
export const DocumentTimes = ({ document }: { readonly document: FullDocument }) => {
  const { created_at, document_id, ends_at, timestamp, updated_at } = document
  const times: ReadonlyArray<readonly [name: string, at: Date | string]> = [
    [ends_at === null ? "Dated by its source" : "Begins", timestamp],
    ...ends_at === null ? [] : [["Ends", ends_at] as const],
    ["First version stored", created_at],
    ...isSame(created_at, updated_at) ? [] : [["This version stored", updated_at] as const]
  ]
  return (
    <Card title="Times">
      <dl className="columns small">
        {times.map(([name, at]) => (
          <div key={name}>
            <dt className="soft">{name}</dt>
            <dd>
              <Exactly at={at} />{" "}
              <span className="soft">
                (<Moment at={at} />)
              </span>
            </dd>
          </div>
        ))}
      </dl>
      {isSame(created_at, updated_at) && <p className="small soft">It has not changed since.</p>}
      <Versions documentId={document_id} />
    </Card>
  )
}
