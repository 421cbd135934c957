import { DayChart } from "./DayChart.tsx"
import type { DayRange } from "./days.ts"
import { Card } from "../ui/Page.tsx"
import { LinePath } from "@visx/shape"

interface Series {
  readonly name: string
  /** One for each day; null for a day without a value. */
  readonly values: ReadonlyArray<number | null>
  readonly tone: "accent" | "warn"
}

interface Props {
  readonly title: string
  readonly days: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  readonly format: (value: number) => string
  readonly onDays: (days: DayRange) => void
}

/** A day between days without values, which no line leads to. */
const isAlone = (values: Series["values"], index: number): boolean =>
  (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null

/** A card with values by day as lines. */
export const Lines = ({ days, format, onDays, series, title }: Props) => (
  <Card title={title}>
    <DayChart
      title={title}
      highest={Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))}
      format={format}
      days={days}
      columns={series.map(({ name, values }) => ({
        name,
        values: values.map((value) => value === null ? null : format(value))
      }))}
      legend={series.length > 1 &&
        series.map(({ name, tone }) => <span key={name} className={`line-name ${tone}`}>{name}</span>)}
      onDays={onDays}
    >
      {({ x, y }) =>
        series.map(({ name, tone, values }) => {
          const at = (index: number) => x(days[index]!)! + x.bandwidth() / 2
          return (
            <g key={name} className={`line ${tone}`}>
              <LinePath
                data={[...values]}
                defined={(value) => value !== null}
                x={(_, index) => at(index)}
                y={(value) => y(value!)}
              />
              {values.map((value, index) =>
                value !== null && isAlone(values, index) && <circle key={index} cx={at(index)} cy={y(value)} r={2} />
              )}
            </g>
          )
        })}
    </DayChart>
  </Card>
)
