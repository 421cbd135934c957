import { useNavigate, useSearch } from "@tanstack/react-router"
import type { DayUsage } from "../api/models.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { BrushHint } from "../charts/BrushHint.tsx"
import { ChosenDays } from "../charts/ChosenDays.tsx"
import { DayBars } from "../charts/DayBars.tsx"
import { type DayRange, dayRangeOf, isWithin, lastDays } from "../charts/days.ts"
import { Lines } from "../charts/Lines.tsx"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import { listSearchOf } from "../lists/listSearch.ts"
import { Operations } from "../usage/Operations.tsx"
import { exportedOf, narrowed, refusalsOf, refusedIn, summariesOf } from "../usage/summary.ts"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { SelectField } from "../ui/forms/SelectField.tsx"
import { bytes, counted, milliseconds } from "../ui/numbers.ts"
import { Card, Empty, Page, Skeleton } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/usage"

/** Days that usage is kept. */
const KEPT = 90

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

interface ChartsProps {
  /** Of the one operation, if one is chosen. */
  readonly history: ReadonlyArray<DayUsage>
  /** At least one. */
  readonly days: ReadonlyArray<string>
  readonly onDays: (days: DayRange) => void
}

const inOrder = (days: ReadonlyArray<string>, history: ReadonlyArray<DayUsage>) => {
  const byDay = new Map(history.map((day) => [day.day, day]))
  return days.map((day) => byDay.get(day))
}

const Requests = ({ days, history, onDays }: ChartsProps) => (
  <DayBars
    onDays={onDays}
    what="requests"
    badWhat="refused"
    days={inOrder(days, history).map((day, index) => ({
      day: days[index]!,
      all: day?.operations.reduce((sum, { requests }) => sum + requests, 0) ?? 0,
      bad: day?.operations.reduce((sum, operation) => sum + refusedIn(operation), 0) ?? 0
    }))}
  />
)

const Shown = ({ days, history, onDays, operation }: ChartsProps & { readonly operation: string | undefined }) => {
  const own = inOrder(days, history)
  const latency = (field: "p50_ms" | "p95_ms") => own.map((day) => day?.operations[0]?.[field] ?? null)
  const byDay = { days, onDays }
  return (
    <>
      {operation !== undefined && (
        <Lines
          {...byDay}
          title="Time until the answer begins"
          format={milliseconds}
          series={[
            { name: "half within", tone: "accent", values: latency("p50_ms") },
            { name: "95 of 100 within", tone: "warn", values: latency("p95_ms") }
          ]}
        />
      )}
      <div className="grid">
        <Card title="Refusals by code">
          <Refusals days={history} />
        </Card>
        <Lines
          {...byDay}
          title="Documents"
          format={counted}
          series={[{ name: "stored", tone: "accent", values: own.map((day) => day?.documents ?? null) }]}
        />
        <Lines
          {...byDay}
          title="Storage"
          format={bytes}
          series={[{ name: "used", tone: "accent", values: own.map((day) => day?.storage ?? null) }]}
        />
      </div>
    </>
  )
}

export const Usage = () => {
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const usage = useWorkspaceQuery(["usage", "history"], ({ client, signal }) => client.usageHistory({ signal }), {
    refetchInterval: 30_000
  })
  const { data } = usage
  const { is: operation } = search
  const operations = summariesOf(data?.days ?? []).map(({ operation }) => operation)
  const days = lastDays(KEPT, Date.now(), search)
  const history = narrowed(data?.days.filter(({ day }) => isWithin(search, day)) ?? [], operation)
  const show = (is: string | undefined, days: DayRange) =>
    void navigate({
      search: { ...listSearchOf({ is }), ...dayRangeOf({ ...days }) },
      replace: true,
      resetScroll: false
    })
  const onDays = (days: DayRange) => show(operation, days)
  return (
    <Page
      title="Usage"
      lead="What programs, assistants and people did with this workspace in the last 90 days, and how fast it was answered."
    >
      {data === undefined && (
        <NotLoaded query={usage} what="The usage cannot be shown">
          <Card>
            <Skeleton lines={8} />
          </Card>
        </NotLoaded>
      )}
      {data !== undefined && operations.length === 0 && (
        <Card>
          <Empty icon="knowledge" title="Nothing was used yet">
            <p>Each request is counted here by its operation, with what it was answered.</p>
          </Empty>
        </Card>
      )}
      {operations.length > 0 && (
        <>
          <div className="card-head">
            <SelectField
              label="Operation"
              hideLabel
              value={operation ?? ""}
              onChange={(operation) => show(operation, search)}
              options={[["", "All operations"], ...operations.map((operation) => [operation, operation] as const)]}
            />
            <ExportButtons name="usage" rows={() => exportedOf(history)} />
          </div>
          <Card title="Requests by day" aside={<ChosenDays days={search} onDays={onDays} />}>
            {days.length === 0
              ? (
                <Empty icon="knowledge" title="No usage of these days">
                  <p>Usage is kept for 90 days.</p>
                </Empty>
              )
              : <Requests days={days} history={history} onDays={onDays} />}
            <BrushHint />
          </Card>
          {days.length > 0 && <Shown days={days} history={history} operation={operation} onDays={onDays} />}
          <Card flush title="By operation">
            <Operations history={history} />
            <p className="dialog small soft">
              The typical answer is the median of the daily medians. The time of slow answers is the highest daily 95th
              percentile.
            </p>
          </Card>
        </>
      )}
    </Page>
  )
}
