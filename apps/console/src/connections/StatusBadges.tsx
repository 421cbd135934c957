import type { SourceConnection, SyncState } from "../api/models.ts"
import { Badge } from "../ui/Badge.tsx"

const CONNECTIONS = {
  active: ["good", "Active"],
  paused: ["plain", "Paused"],
  error: ["bad", "Needs attention"]
} as const

export const ConnectionBadge = ({ status }: Pick<SourceConnection, "status">) => {
  const [tone, word] = CONNECTIONS[status]
  return <Badge tone={tone}>{word}</Badge>
}

const SYNCS = {
  pending: ["plain", "Waiting"],
  running: ["accent", "Syncing"],
  completed: ["good", "Up to date"],
  failed: ["bad", "Failed"],
  cancelled: ["plain", "Cancelled"]
} as const

export const SyncBadge = ({ status }: Pick<SyncState, "status">) => {
  const [tone, word] = SYNCS[status]
  return <Badge tone={tone}>{word}</Badge>
}
