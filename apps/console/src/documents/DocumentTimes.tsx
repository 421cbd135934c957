import type { FullDocument } from "../api/models.ts"
import { Card } from "../ui/Page.tsx"
import { dateOf, Exactly, Moment } from "../ui/time/Moment.tsx"

const isSame = (one: Date | string, other: Date | string): boolean => dateOf(one).getTime() === dateOf(other).getTime()

/** The source's own time, and when its versions came: the first one and the one that is stored. */
export const DocumentTimes = ({ document }: { readonly document: FullDocument }) => {
  const { created_at, ends_at, timestamp, updated_at } = document
  const times: ReadonlyArray<readonly [name: string, at: Date | string]> = [
    [ends_at === null ? "Dated by its source" : "Begins", timestamp],
    ...ends_at === null ? [] : [["Ends", ends_at] as const],
    ["First version stored", created_at],
    ...isSame(created_at, updated_at) ? [] : [["This version stored", updated_at] as const]
  ]
  return (
    <Card title="Times">
      <dl className="columns small">
        {times.map(([name, at]) => (
          <div key={name}>
            <dt className="soft">{name}</dt>
            <dd>
              <Exactly at={at} />{" "}
              <span className="soft">
                (<Moment at={at} />)
              </span>
            </dd>
          </div>
        ))}
      </dl>
      {isSame(created_at, updated_at) && <p className="small soft">It has not changed since.</p>}
    </Card>
  )
}
