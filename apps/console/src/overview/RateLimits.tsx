import type { Usage } from "../api/models.ts"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Meter } from "../ui/Meter.tsx"
import { counted } from "../ui/numbers.ts"
import { Card } from "../ui/Page.tsx"
import { durationInWords } from "../ui/time/duration.ts"
import { useUsage } from "./useUsage.ts"

type Window = NonNullable<Usage["rate_limits"]["ask"]>

const per = (seconds: number): string =>
  seconds === 60 ? "a minute" : seconds === 3_600 ? "an hour" : `in ${durationInWords(seconds)}`

const RateLimit = ({ label, window }: { readonly label: string; readonly window: Window | undefined }) => {
  if (window === undefined) return null
  const { limit, remaining, reset, window_seconds } = window
  const used = limit - remaining
  const fraction = limit === 0 ? 1 : used / limit
  return (
    <Meter
      label={label}
      fraction={fraction}
      state={fraction >= 0.8 ? "approaching" : "ok"}
    >
      {counted(remaining)} left of {counted(limit)} {per(window_seconds)}
      {used > 0 && `, all of it again in ${durationInWords(reset)}`}
    </Meter>
  )
}

export const RateLimits = () => {
  const usage = useUsage()
  const { ask, refresh, search } = usage.data?.rate_limits ?? {}
  return (
    <Card title="Rate limits">
      {usage.data === undefined && <NotLoaded query={usage} what="The rate limits cannot be shown" />}
      {usage.data !== undefined && ask === undefined && search === undefined && refresh === undefined && (
        <p className="soft">This plan has no rate limits.</p>
      )}
      <div className="stack">
        <RateLimit label="Ask" window={ask} />
        <RateLimit label="Search" window={search} />
        <RateLimit label="Refresh" window={refresh} />
      </div>
    </Card>
  )
}
