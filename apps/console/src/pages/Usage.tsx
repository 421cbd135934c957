import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import type { DayUsage } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { DayBars } from "../charts/DayBars.tsx"
import { lastDays } from "../charts/days.ts"
import { Lines } from "../charts/Lines.tsx"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import { exportedOf, narrowed, type OperationSummary, refusalsOf, refusedIn, summariesOf } from "../usage/summary.ts"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Field } from "../ui/forms/Field.tsx"
import { bytes, counted, milliseconds } from "../ui/numbers.ts"
import { Card, Empty, Page, Skeleton } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/usage"

/** Days that usage is kept. */
const KEPT = 90

const Operations = ({ summaries }: { readonly summaries: ReadonlyArray<OperationSummary> }) => (
  <div className="table-frame" role="region" aria-label="By operation" tabIndex={0}>
    <table className="figures-table">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col" className="number">Requests</th>
          <th scope="col" className="number">Refused</th>
          <th scope="col" className="number">Typical answer</th>
          <th scope="col" className="number">Slow answers</th>
        </tr>
      </thead>
      <tbody>
        {summaries.map(({ operation, refused, requests, slow, typical }) => (
          <tr key={operation}>
            <th scope="row" className="mono">{operation}</th>
            <td>{counted(requests)}</td>
            <td>{counted(refused)}</td>
            <td>{typical === null ? "" : milliseconds(typical)}</td>
            <td>{slow === null ? "" : milliseconds(slow)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Refusals = ({ days }: { readonly days: ReadonlyArray<DayUsage> }) => {
  const refusals = refusalsOf(days)
  if (refusals.length === 0) return <p className="soft">Nothing was refused.</p>
  return (
    <dl className="stack small">
      {refusals.map(([code, count]) => (
        <div key={code} className="card-head">
          <dt className="mono">{code}</dt>
          <dd className="numeric">{counted(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ShownProps {
  readonly history: ReadonlyArray<DayUsage>
  readonly operation: string | undefined
}

const Shown = ({ history, operation }: ShownProps) => {
  const days = lastDays(KEPT, Date.now())
  const byDay = new Map(narrowed(history, operation).map((day) => [day.day, day]))
  const own = days.map((day) => byDay.get(day))
  const latency = (field: "p50_ms" | "p95_ms") => own.map((day) => day?.operations[0]?.[field] ?? null)
  return (
    <>
      <Card title="Requests by day">
        <DayBars
          what="requests"
          badWhat="refused"
          days={own.map((day, index) => ({
            day: days[index]!,
            all: day?.operations.reduce((sum, { requests }) => sum + requests, 0) ?? 0,
            bad: day?.operations.reduce((sum, operation) => sum + refusedIn(operation), 0) ?? 0
          }))}
        />
      </Card>
      {operation !== undefined && (
        <Card title="Time until the answer begins">
          <Lines
            title="Time until the answer begins"
            days={days}
            format={milliseconds}
            series={[
              { name: "half within", tone: "accent", values: latency("p50_ms") },
              { name: "95 of 100 within", tone: "warn", values: latency("p95_ms") }
            ]}
          />
        </Card>
      )}
      <div className="grid">
        <Card title="Refusals by code">
          <Refusals days={[...byDay.values()]} />
        </Card>
        <Card title="Documents">
          <Lines
            title="Documents"
            days={days}
            format={counted}
            series={[{ name: "stored", tone: "accent", values: own.map((day) => day?.documents ?? null) }]}
          />
        </Card>
        <Card title="Storage">
          <Lines
            title="Storage"
            days={days}
            format={bytes}
            series={[{ name: "used", tone: "accent", values: own.map((day) => day?.storage ?? null) }]}
          />
        </Card>
      </div>
    </>
  )
}

export const Usage = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const { is: operation } = useSearch({ from: PATH })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: [workspace_id, "usage", "history"],
    queryFn: ({ signal }) => client.usageHistory({ signal }),
    refetchInterval: 30_000
  })
  const summaries = summariesOf(data?.days ?? [])
  const choose = (is: string) =>
    void navigate({
      to: PATH,
      params: { workspaceId: workspace_id },
      search: is === "" ? {} : { is },
      replace: true,
      resetScroll: false
    })
  return (
    <Page
      title="Usage"
      lead="What programs, assistants and people did with this workspace in the last 90 days, and how fast it was answered."
    >
      {error !== null && data === undefined && (
        <Failure
          error={error}
          what="The usage cannot be shown"
          retry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
      {data !== undefined && summaries.length === 0 && (
        <Card>
          <Empty icon="knowledge" title="Nothing was used yet">
            <p>Each request is counted here by its operation, with what it was answered.</p>
          </Empty>
        </Card>
      )}
      {data !== undefined && summaries.length > 0 && (
        <>
          <div className="card-head">
            <Field label="Operation" hideLabel>
              {(control) => (
                <select
                  {...control}
                  value={operation ?? ""}
                  onChange={({ target }) => choose(target.value)}
                >
                  <option value="">All operations</option>
                  {summaries.map(({ operation }) => <option key={operation} value={operation}>{operation}</option>)}
                </select>
              )}
            </Field>
            <ExportButtons name="usage" rows={() => exportedOf(narrowed(data.days, operation))} />
          </div>
          <Shown history={data.days} operation={operation} />
          <Card flush title="By operation">
            <Operations summaries={summaries.filter((one) => operation === undefined || one.operation === operation)} />
            <p className="dialog small soft">
              The typical answer is the middle one of the days’ medians. Of the slow answers, it is the day on which the
              slowest five of a hundred took longest.
            </p>
          </Card>
        </>
      )}
    </Page>
  )
}
