import type { Key } from "../api/consoleApi.ts"
import { DAY } from "../ui/time/day.ts"
import { dateOf } from "../ui/time/Moment.tsx"
import { isUsable } from "./isUsable.ts"

/** As long before its end as webhooks first report a key, so that there is time to rotate it. */
const SOON = 7 * DAY

/** The key is usable, and expires within a week. */
export const isExpiring = (key: Key): boolean =>
  isUsable(key) && key.expires_at !== null && dateOf(key.expires_at).getTime() - Date.now() < SOON
