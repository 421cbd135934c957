/** Range and interval of syncs: a provider's defaults, and the text for them. */
import type { Bound } from "@tributary/core/model/KnowledgeSettings"
import type { ProviderDescription, SyncConfig } from "../api/models.ts"
import { dayOf } from "../ui/time/Moment.tsx"
import { amount } from "../ui/numbers.ts"

interface Described {
  readonly properties?: {
    readonly start?: { readonly default?: Bound }
    readonly interval_minutes?: { readonly default?: number }
  }
}

const HOURLY = 60

export const proposedSync = ({ sync_config_schema }: ProviderDescription): SyncConfig => {
  const { properties }: Described = sync_config_schema
  return {
    start: properties?.start?.default ?? null,
    interval_minutes: properties?.interval_minutes?.default ?? HOURLY
  }
}

const DAY = 1_440

const every = (minutes: number): string =>
  minutes % DAY === 0
    ? minutes === DAY ? "every day" : `every ${amount(minutes / DAY, "day")}`
    : minutes % HOURLY === 0
    ? minutes === HOURLY ? "every hour" : `every ${amount(minutes / HOURLY, "hour")}`
    : minutes === 1
    ? "every minute"
    : `every ${amount(minutes, "minute")}`

const reach = (start: Bound): string =>
  start === null
    ? "everything, however old"
    : start.type === "relative"
    ? `the last ${amount(start.days, "day")}`
    : `from ${dayOf(`${start.date}T00:00:00Z`)} on`

/** `every 15 minutes, the last 365 days`. */
export const syncInWords = ({ interval_minutes, start }: SyncConfig): string =>
  `${every(interval_minutes)}, ${reach(start)}`
