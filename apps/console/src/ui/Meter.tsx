import type { ReactNode } from "react"
import { Badge } from "./Badge.tsx"

type MeterState = "ok" | "approaching" | "exceeded"

const STATES = {
  ok: ["good", "OK"],
  approaching: ["warn", "Approaching"],
  full: ["bad", "Full"],
  exceeded: ["bad", "Exceeded"]
} as const

interface Props {
  readonly label: string
  readonly fraction: number
  readonly state: MeterState
  readonly children: ReactNode
}

export const Meter = ({ children, fraction, label, state }: Props) => {
  // The API calls a meter at exactly its limit "approaching"; for a reader nothing is left.
  const isFull = state === "approaching" && fraction >= 1
  const [tone, word] = STATES[isFull ? "full" : state]
  return (
    <div className="meter">
      <div className="meter-head">
        <strong>{label}</strong>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <Track label={label} fraction={fraction} state={isFull ? "exceeded" : state} />
      <span className="small soft numeric">{children}</span>
    </div>
  )
}

/** Null: the progress is unknown. */
export const Track = (
  { fraction, label, state = "ok" }: {
    readonly label: string
    readonly fraction: number | null
    readonly state?: MeterState
  }
) => (
  <div
    className={`track ${fraction === null ? "unknown" : state}`}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={fraction === null ? undefined : Math.round(Math.min(1, fraction) * 100)}
  >
    <span style={fraction === null ? undefined : { width: `${Math.min(100, fraction * 100)}%` }} />
  </div>
)
