/** How an admission decides. Free of Effect, because a backend may decide in another thread. */
import type { Admission, Caps, Verdict } from "./DocumentStore.ts"
import type { NewJob } from "./JobStore.ts"

type Item = Pick<Admission, "fingerprint" | "oversized" | "size" | "timestamp">

/** The stored document that an item would replace. */
interface Replaced {
  readonly size: number
  readonly fingerprint: string
  /** In milliseconds. */
  readonly timestamp: number
}

/** What a workspace has. `storage` is bytes. */
interface Held {
  readonly documents: number
  readonly storage: number
}

const isUnchanged = (item: Item, { fingerprint, timestamp }: Replaced): boolean =>
  item.fingerprint === fingerprint && (item.timestamp === null || item.timestamp.getTime() === timestamp)

/** The cap that the item would exceed. */
const capHit = (item: Item, replaced: Replaced | undefined, held: Held, caps: Caps): Verdict["resource"] => {
  if (replaced === undefined && caps.documents !== null && held.documents + 1 > caps.documents) return "documents"
  const growth = item.size - (replaced?.size ?? 0)
  // A replacement that does not grow fits even when the cap is below what is stored.
  if (replaced !== undefined && growth <= 0) return null
  return caps.storage !== null && held.storage + growth > caps.storage ? "storage" : null
}

/** Null: the item is stored. */
export const outcomeUnstored = (
  item: Item,
  replaced: Replaced | undefined,
  held: Held,
  caps: Caps
): Omit<Verdict, "document_id"> | null => {
  if (item.oversized) return { status: "rejected", resource: "doc_size" }
  if (replaced !== undefined && isUnchanged(item, replaced)) return { status: "unchanged", resource: null }
  const resource = capHit(item, replaced, held, caps)
  return resource === null ? null : { status: "rejected", resource }
}

/** From this share of the pending cap on, the refresh may run at once. */
const HURRIED = 0.4

/** What follows an admission while `waiting` chunks wait for a refresh; `isBehind`: it is refused. */
export const followed = (waiting: number, { pending }: Caps, follow: NewJob) => {
  const most = pending ?? Infinity
  return {
    isBehind: waiting >= most,
    next: waiting >= HURRIED * most ? { ...follow, run_at: follow.created_at } : follow
  }
}
