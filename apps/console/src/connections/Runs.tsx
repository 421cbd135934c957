import type { SyncRun } from "../api/models.ts"
import { perPage, useWorkspacePages } from "../api/useWorkspaceQuery.ts"
import { ShowMore } from "../ui/ShowMore.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Card } from "../ui/Page.tsx"
import { durationInWords } from "../ui/time/duration.ts"
import { dateOf, Moment } from "../ui/time/Moment.tsx"
import { SyncBadge } from "./StatusBadges.tsx"

const useRuns = (connectionId: string) =>
  useWorkspacePages(
    ["connections", connectionId, "runs"],
    ({ client, cursor, signal }) => client.connections.runs(connectionId, { cursor, limit: 10 }, { signal }),
    { refetchInterval: perPage(10_000) }
  )

const LeftOut = ({ left_out }: Pick<SyncRun, "left_out">) => {
  if (left_out.length === 0) return null
  return (
    <details className="small">
      <summary>{amount(left_out.reduce((sum, { items }) => sum + items, 0), "item")} left out</summary>
      <ul className="stack choices">
        {left_out.map(({ external_ids, items, reason }) => (
          <li key={reason} className="wrap-anywhere">
            {reason} <b className="numeric">{amount(items, "item")}</b>:{" "}
            <span className="soft">
              {external_ids.join(", ")}
              {items > external_ids.length && ` and ${counted(items - external_ids.length)} more`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const Run = ({ run }: { readonly run: SyncRun }) => {
  const { ended_at, error, items_deleted, items_ingested, next_attempt_at, resource, started_at, status } = run
  return (
    <li>
      <div className="stack">
        <div className="row-title">
          {resource} <SyncBadge status={status} />
        </div>
        <div className="facts numeric">
          <span>
            <Moment at={started_at} />
          </span>
          <span>in {durationInWords((dateOf(ended_at).getTime() - dateOf(started_at).getTime()) / 1_000)}</span>
          <span>{counted(items_ingested)} taken in</span>
          <span>{counted(items_deleted)} deleted</span>
          {run.deletions_held > 0 && <span>{amount(run.deletions_held, "deletion")} held</span>}
          {status === "failed" && next_attempt_at !== null && dateOf(next_attempt_at).getTime() > Date.now() && (
            <span>
              next attempt <Moment at={next_attempt_at} />
            </span>
          )}
        </div>
        {error !== null && <p className="small bad-text wrap-anywhere">{error}</p>}
        <LeftOut left_out={run.left_out} />
      </div>
    </li>
  )
}

/** Syncs that have ended, newest first. */
export const Runs = ({ connectionId }: { readonly connectionId: string }) => {
  const query = useRuns(connectionId)
  const runs = query.data?.pages.flatMap(({ items }) => items)
  return (
    <Card flush title="History">
      {runs === undefined && <NotLoaded flush query={query} what="The earlier syncs cannot be shown" />}
      {runs?.length === 0 && <p className="dialog soft">No sync has ended yet.</p>}
      <ol className="rows">{runs?.map((run) => <Run key={run.run_id} run={run} />)}</ol>
      <ShowMore list={query} />
    </Card>
  )
}
