import type { Key, Traffic } from "../api/consoleApi.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { amount } from "../ui/numbers.ts"
import { dateOf, Moment } from "../ui/time/Moment.tsx"
import { isExpiring } from "./isExpiring.ts"
import { openRotationOf } from "./rotations.ts"
import { daysOf, sumOf } from "./traffic.ts"
import { TrafficBars } from "./TrafficBars.tsx"
import { Latest } from "../ui/time/Latest.tsx"

const StateOf = ({ value }: { readonly value: Key }) => {
  if (value.revoked_at !== null) return <Badge tone="bad">Revoked</Badge>
  if (value.expires_at === null) return <Badge tone="good">Active</Badge>
  return dateOf(value.expires_at).getTime() <= Date.now()
    ? <Badge tone="bad">Expired</Badge>
    : (
      <Badge tone={isExpiring(value) ? "warn" : "good"}>
        Expires <Moment at={value.expires_at} />
      </Badge>
    )
}

interface RowProps {
  readonly value: Key
  /** All of the workspace. */
  readonly keys: ReadonlyArray<Key>
  readonly traffic: ReadonlyArray<Traffic>
  readonly creator: string
  readonly onRotate: () => void
  readonly onRevoke: () => void
}

export const KeyRow = ({ creator, keys, onRevoke, onRotate, traffic, value }: RowProps) => {
  const days = daysOf(traffic, value.key_id, Date.now())
  const rotate = openRotationOf(value.key_id, keys) === null ? "Rotate" : "Resume rotation"
  return (
    <li>
      <div>
        <div className="row-title">
          <bdi>{value.name}</bdi> <span className="mono soft">…{value.hint}</span> <StateOf value={value} />
        </div>
        <div className="facts">
          <span className="mono">{value.scopes.join(", ")}</span>
          <span>
            created <Moment at={value.created_at} /> by <bdi>{creator}</bdi>
          </span>
          <Latest what="last used" at={value.last_used_at} never="never used" />
        </div>
      </div>
      <div className="small soft numeric">
        <TrafficBars days={days} />
        {amount(sumOf(days), "request")} in 30 days
      </div>
      {value.revoked_at === null && (
        <div className="buttons">
          <Button small onClick={onRotate} aria-label={`${rotate}${rotate === "Rotate" ? "" : " of"} ${value.name}`}>
            {rotate}
          </Button>
          <Button small kind="quiet bad" onClick={onRevoke} aria-label={`Revoke ${value.name}`}>Revoke</Button>
        </div>
      )}
    </li>
  )
}
