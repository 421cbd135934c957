/** Filters as the API takes them. */
import { daysAgo, timeOf } from "./items.ts"
import type { Filter, Narrowing } from "./operations.ts"
import type { Workspace } from "./Workspace.ts"

const timesOf = ({ from, to }: { readonly from?: number; readonly to?: number }) => ({
  ...from === undefined ? {} : { from: timeOf(daysAgo(from)) },
  ...to === undefined ? {} : { to: timeOf(daysAgo(to)) }
})

/** Of a list of documents, or of what to delete. */
export const filterOf = (on: Workspace, { connector, from, to, ...others }: Filter) => ({
  ...others,
  ...timesOf({ ...from === undefined ? {} : { from }, ...to === undefined ? {} : { to } }),
  ...connector === undefined ? {} : { connector_id: on.idOf(connector) }
})

/** Of a search, a question, or a token. */
export const narrowingOf = ({ sources, team, ...times }: Narrowing) => ({
  ...timesOf(times),
  ...sources === undefined ? {} : { sources },
  ...team === undefined ? {} : { metadata: { team } }
})
