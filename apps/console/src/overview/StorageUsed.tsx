import type { Usage } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Meter } from "../ui/Meter.tsx"
import { bytes, counted } from "../ui/numbers.ts"
import { Card } from "../ui/Page.tsx"
import { useUsage } from "./useUsage.ts"

interface Props {
  readonly label: string
  readonly meter: Usage["entitlements"]["documents"]
  readonly format: (value: number) => string
}

const Used = ({ format, label, meter: { fraction_used, limit, state, used } }: Props) =>
  limit === undefined
    ? (
      <div className="meter">
        <strong>{label}</strong>
        <span className="small soft numeric">{format(used)}, no limit</span>
      </div>
    )
    : (
      <Meter label={label} fraction={fraction_used} state={state}>
        {format(used)} of {format(limit)}
      </Meter>
    )

/** What of the plan's room is used. */
export const StorageUsed = () => {
  const { workspace } = useWorkspace()
  const usage = useUsage()
  const { documents, storage } = usage.data?.entitlements ?? {}
  return (
    <Card title="Usage" aside={<Badge tone="accent">{workspace.tier}</Badge>}>
      {documents === undefined || storage === undefined
        ? <NotLoaded query={usage} what="The usage cannot be shown" />
        : (
          <div className="stack">
            <Used label="Documents" meter={documents} format={counted} />
            <Used label="Storage" meter={storage} format={bytes} />
          </div>
        )}
    </Card>
  )
}
