import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Meter } from "../ui/Meter.tsx"
import { bytes, counted } from "../ui/numbers.ts"
import { Card, Skeleton } from "../ui/Page.tsx"
import { useUsage } from "./useUsage.ts"

const of = (limit: number | undefined, format: (value: number) => string): string =>
  limit === undefined ? ", no limit" : ` of ${format(limit)}`

/** What of the plan's room is used. */
export const StorageUsed = () => {
  const { workspace } = useWorkspace()
  const usage = useUsage()
  const { documents, storage } = usage.data?.entitlements ?? {}
  return (
    <Card title="Usage" aside={<Badge tone="accent">{workspace.tier}</Badge>}>
      {documents === undefined || storage === undefined
        ? (
          <NotLoaded query={usage} what="The usage cannot be shown">
            <Skeleton />
          </NotLoaded>
        )
        : (
          <div className="stack">
            <Meter label="Documents" fraction={documents.fraction_used} state={documents.state}>
              {counted(documents.used)}
              {of(documents.limit, counted)}
            </Meter>
            <Meter label="Storage" fraction={storage.fraction_used} state={storage.state}>
              {bytes(storage.used)}
              {of(storage.limit, bytes)}
            </Meter>
          </div>
        )}
    </Card>
  )
}
