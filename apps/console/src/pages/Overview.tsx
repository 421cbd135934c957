import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Suspense } from "react"
import type { Usage } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { EventRow } from "../events/EventRow.tsx"
import { JobRow } from "../jobs/JobRow.tsx"
import { HeldOverview } from "../connections/HeldOverview.tsx"
import { useConnections } from "../connections/useConnections.ts"
import { page } from "../shell/page.ts"
import { ContextState } from "../timeline/ContextState.tsx"
import { Timeline } from "../timeline/Timeline.tsx"
import { useSettings, useStatus } from "../timeline/useContextState.ts"
import { useTimeline } from "../timeline/useTimeline.ts"
import { Badge } from "../ui/Badge.tsx"
import { durationInWords } from "../ui/time/duration.ts"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Meter } from "../ui/Meter.tsx"
import { bytes, counted } from "../ui/numbers.ts"
import { Card, CardSkeleton, Empty, Page, Skeleton } from "../ui/Page.tsx"
import { useLiveEvents } from "../events/useLiveEvents.ts"

const FirstFiles = page(() => import("../uploads/FirstFiles.tsx"), "FirstFiles")

const of = (limit: number | undefined, format: (value: number) => string): string =>
  limit === undefined ? ", no limit" : ` of ${format(limit)}`

const UsageMeters = ({ usage: { entitlements: { documents, storage } } }: { readonly usage: Usage }) => (
  <div className="stack">
    <Meter label="Documents" fraction={documents.fraction_used} state={documents.state}>
      {counted(documents.used)}
      {of(documents.limit, counted)}
    </Meter>
    <Meter label="Storage" fraction={storage.fraction_used} state={storage.state}>
      {bytes(storage.used)}
      {of(storage.limit, bytes)}
    </Meter>
  </div>
)

const OPERATIONS = { ask: "Ask", search: "Search", refresh: "Refresh" } as const

const RateWindows = ({ usage: { rate_limits } }: { readonly usage: Usage }) => {
  const windows = Object.entries(OPERATIONS).flatMap(([name, label]) => {
    const window = rate_limits[name as keyof typeof OPERATIONS]
    return window === undefined ? [] : [{ label, ...window }]
  })
  if (windows.length === 0) return <p className="soft">This plan has no rate limits.</p>
  return (
    <div className="stack">
      {windows.map(({ label, limit, remaining, reset, window_seconds }) => {
        const used = limit - remaining
        const fraction = limit === 0 ? 1 : used / limit
        return (
          <Meter
            key={label}
            label={label}
            fraction={fraction}
            state={remaining === 0 ? "exceeded" : fraction >= 0.8 ? "approaching" : "ok"}
          >
            {counted(remaining)} of {counted(limit)} left {window_seconds === 60
              ? "a minute"
              : window_seconds === 3_600
              ? "an hour"
              : `in ${durationInWords(window_seconds)}`}
            {used > 0 && `, all of it again in ${durationInWords(reset)}`}
          </Meter>
        )
      })}
    </div>
  )
}

export const Overview = () => {
  const { client, workspace } = useWorkspace()
  const params = { workspaceId: workspace.workspace_id }
  const id = workspace.workspace_id
  const usage = useQuery({
    queryKey: [id, "usage"],
    queryFn: ({ signal }) => client.usage({ signal }),
    refetchInterval: 5_000
  })
  const jobs = useQuery({
    queryKey: [id, "jobs", "recent"],
    queryFn: async ({ signal }) => (await client.knowledge.jobs({ cursor: null, limit: 5 }, { signal })).items,
    refetchInterval: 10_000
  })
  const settings = useSettings()
  const status = useStatus()
  const timeline = useTimeline(settings.data?.temporal_settings)
  const { events } = useLiveEvents(5)
  const error = usage.error ?? status.error ?? settings.error ?? timeline.error
  const { data: connections = [] } = useConnections()
  const broken = connections.filter(({ status }) => status === "error")
  const failed = jobs.data?.filter(({ status }) => status === "failed") ?? []

  return (
    <Page
      title={workspace.name}
      lead="What is stored, what of it is in the knowledge context, and how much room is left."
    >
      {error !== null && usage.data === undefined && (
        <Failure
          error={error}
          what="The overview cannot be shown"
          retry={() => void usage.refetch()}
        />
      )}
      {broken.map(({ connection_id, error, name }) => (
        <div key={connection_id} className="note bad" role="status">
          <strong className="wrap-anywhere">“{name}” is not pulled</strong>
          <p className="wrap-anywhere">{error}</p>
          <Link to="/w/$workspaceId/connections/$connectionId" params={{ ...params, connectionId: connection_id }}>
            Open the connection
          </Link>
        </div>
      ))}
      <HeldOverview />
      <Card
        title="Documents in time"
        aside={<Link to="/w/$workspaceId/knowledge" params={params}>Change the range</Link>}
      >
        {timeline.data === undefined || settings.data === undefined
          ? <Skeleton lines={8} />
          : timeline.data.total === 0
          ? (
            <Empty icon="connectors" title="Nothing is stored yet">
              <p>
                Drop a few files, push documents through a connector, or connect a source. A moment later you can ask
                questions about them.
              </p>
              <Suspense fallback={<Skeleton />}>
                <FirstFiles />
              </Suspense>
              <div className="buttons">
                <Link className="button" to="/w/$workspaceId/sources" params={params}>Create a connector</Link>
                <Link className="button" to="/w/$workspaceId/connections/new" params={params}>Connect a source</Link>
              </div>
            </Empty>
          )
          : <Timeline counts={timeline.data} range={settings.data.temporal_settings} />}
      </Card>
      <div className="grid">
        <Card title="Usage" aside={<Badge tone="accent">{workspace.tier}</Badge>}>
          {usage.data === undefined ? <Skeleton /> : <UsageMeters usage={usage.data} />}
        </Card>
        <Card title="Knowledge context">
          {status.data === undefined ? <Skeleton /> : <ContextState status={status.data} />}
        </Card>
        <Card title="Rate limits">{usage.data === undefined ? <Skeleton /> : <RateWindows usage={usage.data} />}</Card>
      </div>
      {failed.length > 0 && (
        <div className="note bad" role="status">
          <strong>A question could not be answered</strong>
          <p className="wrap-anywhere">{failed[0]?.query}: {failed[0]?.error?.message}</p>
        </div>
      )}
      <div className="grid">
        <Card title="Latest events" flush aside={<Link to="/w/$workspaceId/events" params={params}>All events</Link>}>
          {events === undefined
            ? <CardSkeleton />
            : events.length === 0
            ? (
              <Empty icon="events" title="Quiet so far">
                <p>Whatever is ingested and deleted shows up here at once.</p>
              </Empty>
            )
            : <ul className="rows">{events.map((event) => <EventRow key={event.event_id} event={event} />)}</ul>}
        </Card>
        <Card title="Latest ask jobs" flush aside={<Link to="/w/$workspaceId/jobs" params={params}>All jobs</Link>}>
          {jobs.data === undefined
            ? <CardSkeleton />
            : jobs.data.length === 0
            ? (
              <Empty icon="jobs" title="No jobs yet">
                <p>A question asked as a job is answered in the background, and its answer is kept for 30 days.</p>
              </Empty>
            )
            : <ul className="rows">{jobs.data.map((job) => <JobRow key={job.job_id} job={job} />)}</ul>}
        </Card>
      </div>
    </Page>
  )
}
