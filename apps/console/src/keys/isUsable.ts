import type { Key } from "../api/consoleApi.ts"
import { dateOf } from "../ui/time/Moment.tsx"

/** Neither revoked nor expired. */
export const isUsable = ({ expires_at, revoked_at }: Key): boolean =>
  revoked_at === null && (expires_at === null || dateOf(expires_at).getTime() > Date.now())
