import type { TemporalSettings } from "@tributary/core/model/KnowledgeSettings"
import { resolveRange } from "@tributary/core/model/TemporalRange"
import type { Timeline as Counts } from "@tributary/core/model/Timeline"
import type { ReactNode } from "react"
import { amount } from "../ui/numbers.ts"
import { DAY } from "../ui/time/day.ts"
import { type Axis, axisOf, isInside, labelOf } from "./axis.ts"

interface Props {
  readonly counts: Counts
  readonly range: TemporalSettings
  /** Keeps the axis fixed while the range is dragged. */
  readonly axis?: Axis
  readonly plot?: React.Ref<HTMLDivElement>
  readonly children?: ReactNode
}

const percent = (fraction: number): string => `${fraction * 100}%`

/** Documents by month, with what is in the knowledge context drawn over them. */
export const Timeline = ({ axis: given, children, counts, plot, range }: Props) => {
  const now = Date.now()
  const axis = given ?? axisOf(counts, range, now)
  const resolved = resolveRange(range, now)
  const byMonth = new Map(counts.months.map(({ documents, month }) => [month, documents]))
  const highest = Math.max(1, ...counts.months.map(({ documents }) => documents))
  const [from, to] = [axis.fractionOf(resolved.from), axis.fractionOf(resolved.to)]
  return (
    <figure className="timeline">
      <div className="timeline-plot" ref={plot}>
        <div className="timeline-range" style={{ left: percent(from), width: percent(Math.max(0, to - from)) }} />
        {axis.months.map((month) => {
          const documents = byMonth.get(month.name) ?? 0
          return (
            <div
              key={month.name}
              className="bar"
              style={{ flexGrow: (month.to - month.from) / DAY }}
              data-inside={isInside(month, resolved)}
              title={`${labelOf(month.from)}: ${amount(documents, "document")}`}
            >
              {documents > 0 && <span style={{ height: percent(Math.max(0.03, 0.88 * documents / highest)) }} />}
            </div>
          )
        })}
        <div className="timeline-today" style={{ left: percent(axis.fractionOf(now)) }} />
        {children}
      </div>
      <div className="timeline-axis" aria-hidden="true">
        <span>{labelOf(axis.from)}</span>
        <span>{labelOf(axis.to - 1)}</span>
      </div>
      <figcaption className="legend-row">
        <span className="inside">{amount(counts.in_range, "document")} in the context</span>
        <span>{amount(counts.total - counts.in_range, "document")} outside</span>
        {counts.earlier > 0 && <b>{amount(counts.earlier, "document")} more than ten years old</b>}
        {counts.later > 0 && <b>{amount(counts.later, "document")} more than ten years ahead</b>}
      </figcaption>
    </figure>
  )
}
