import type { TemporalSettings } from "@tributary/core/model/KnowledgeSettings"
import { isReversed, resolveRange } from "@tributary/core/model/TemporalRange"
import type { KnowledgeSettings } from "../api/models.ts"
import { useMemo, useRef, useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { axisOf } from "../timeline/axis.ts"
import { BoundField } from "../timeline/BoundField.tsx"
import { CurrentState } from "../timeline/CurrentState.tsx"
import { Handle } from "../timeline/Handle.tsx"
import { Timeline } from "../timeline/Timeline.tsx"
import { useSettings } from "../timeline/useContextState.ts"
import { useTimeline } from "../timeline/useTimeline.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Card, Page, Skeleton } from "../ui/Page.tsx"
import { UnsavedGuard } from "../ui/dialogs/UnsavedGuard.tsx"
import { useSettled } from "../ui/time/useSettled.ts"
import { useWork } from "../ui/feedback/useWork.ts"
import { useChange } from "../ui/feedback/useChange.ts"

const isEqual = (left: TemporalSettings, right: TemporalSettings): boolean =>
  JSON.stringify([left.start, left.end]) === JSON.stringify([right.start, right.end])

const SAVED = "Saved. The context is being rebuilt. Questions are answered from the previous one until it is ready."

const RangeEditor = ({ settings: { temporal_settings: saved } }: { readonly settings: KnowledgeSettings }) => {
  const { client } = useWorkspace()
  const change = useChange()
  /** An end that is not edited is as somebody else may have saved it meanwhile. */
  const [edited, setEdited] = useState<Partial<TemporalSettings>>({})
  const { busy, error, run } = useWork()
  const plot = useRef<HTMLDivElement>(null)
  const range = useMemo(() => ({ ...saved, ...edited }), [saved, edited])
  const reversed = isReversed(resolveRange(range, Date.now()))
  const before = useTimeline(saved)
  // Dragging changes the range continuously; only the range at rest is counted.
  const wanted = useSettled(range)
  const preview = useTimeline(reversed ? undefined : wanted)
  const counts = preview.data ?? before.data
  // The axis stays fixed while the range changes.
  const axis = useMemo(
    () => before.data === undefined ? undefined : axisOf(before.data, saved, Date.now()),
    [before.data, saved]
  )
  const isChanged = !isEqual(range, saved)

  const edit = (part: Partial<TemporalSettings>) => setEdited((edited) => ({ ...edited, ...part }))
  const discard = () => setEdited({})
  const save = () =>
    run(async () => {
      await change(() => client.knowledge.updateSettings({ temporal_settings: range }), SAVED)
      discard()
    })

  return (
    <>
      <UnsavedGuard changed={() => isChanged} />
      <Card title="Range">
        {counts === undefined || axis === undefined
          ? <NotLoaded query={before} what="The timeline cannot be shown" lines={8} />
          : (
            <Timeline counts={counts} range={range} axis={axis} plot={plot}>
              {(["start", "end"] as const).map((side) => (
                <Handle
                  key={side}
                  side={side}
                  axis={axis}
                  plot={plot}
                  bound={range[side]}
                  onChange={(bound) => edit({ [side]: bound })}
                />
              ))}
            </Timeline>
          )}
        <div className="columns">
          {(["start", "end"] as const).map((side) => (
            <BoundField
              key={side}
              side={side}
              bound={range[side]}
              onChange={(bound) => edit({ [side]: bound })}
            />
          ))}
        </div>
        {reversed && <p className="note bad" role="alert">The range ends before it starts.</p>}
        {isChanged && !reversed && counts !== undefined && before.data !== undefined && (
          <p className="note" role="status">
            <strong>{amount(counts.in_range, "document")} of {counted(counts.total)} would be in the context</strong>
            {counts.in_range === before.data.in_range
              ? "As many as now."
              : counts.in_range > before.data.in_range
              ? `${counted(counts.in_range - before.data.in_range)} more than now.`
              : `${
                counted(before.data.in_range - counts.in_range)
              } fewer than now. They stay stored, and search still finds them.`}
          </p>
        )}
        {error !== null && <Failure error={error} what="The range was not saved" />}
        <div className="buttons">
          <Button
            kind="primary"
            busy={busy}
            aria-disabled={!isChanged || reversed}
            onClick={() => isChanged && !reversed && void save()}
          >
            Save range
          </Button>
          {isChanged && <Button kind="quiet" onClick={discard}>Discard</Button>}
        </div>
      </Card>
    </>
  )
}

export const Knowledge = () => {
  const { client } = useWorkspace()
  const change = useChange("status")
  const settings = useSettings()
  const { busy, error, run } = useWork()
  const refresh = () => run(() => change(client.knowledge.refresh, "A refresh is queued."))
  return (
    <Page
      title="Knowledge"
      lead="Questions are answered from the knowledge context: the documents whose time lies in this range. Search looks at everything."
    >
      {settings.data === undefined
        ? (
          <NotLoaded query={settings} what="The settings cannot be shown">
            <Card>
              <Skeleton lines={8} />
            </Card>
          </NotLoaded>
        )
        : <RangeEditor settings={settings.data} />}
      <Card title="State" aside={<Button small busy={busy} onClick={() => void refresh()}>Refresh now</Button>}>
        <CurrentState />
        {error !== null && <Failure error={error} what="No refresh was queued" />}
        <p className="small soft">
          New documents are indexed automatically within seconds, and are found before that. A refresh is for those who
          cannot wait.
        </p>
      </Card>
    </Page>
  )
}
