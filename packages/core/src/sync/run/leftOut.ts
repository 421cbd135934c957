/** The items that a sync leaves out: some of them by name, and all of them counted by reason. */
import type { RejectedItem } from "../../model/Error.ts"
import type { LeftOut } from "../../model/SyncRun.ts"
import { toStorable } from "../../model/Text.ts"

/** The most reasons: a provider may give each item its own. */
const MAX_REASONS = 20
const MAX_REASON_LENGTH = 300
const OTHER = "Other reasons."

/** How many items are named in a state, and per reason. */
const NAMED = 100
const NAMED_PER_REASON = 5

/** As long as the list has room. */
export const appendNamed = <A>(known: ReadonlyArray<A>, more: ReadonlyArray<A>): ReadonlyArray<A> =>
  known.length >= NAMED || more.length === 0 ? known : [...known, ...more].slice(0, NAMED)

/** Items that are processed again are removed from the list of left-out ones. */
export const withoutItems = <A extends { readonly external_id: string }>(
  known: ReadonlyArray<A>,
  processed: ReadonlySet<string>
): ReadonlyArray<A> => known.length === 0 ? known : known.filter(({ external_id }) => !processed.has(external_id))

const OVER: Readonly<Record<RejectedItem["resource"], string>> = {
  doc_size: "The document is larger than the plan allows.",
  documents: "The plan's cap on documents is reached.",
  storage: "The plan has no storage left."
}

export const quotaReason = ({ resource }: RejectedItem): string => OVER[resource]

export interface LeftOutCount {
  readonly add: (external_id: string, reason: string) => void
  /** Most frequent first. */
  readonly list: () => ReadonlyArray<LeftOut>
}

export const countLeftOut = (): LeftOutCount => {
  const reasons = new Map<string, { items: number; readonly external_ids: Array<string> }>()

  const countOf = (reason: string) => {
    const known = reasons.get(reason)
    if (known !== undefined) return known
    if (reasons.size >= MAX_REASONS && reason !== OTHER) return countOf(OTHER)
    const made = { items: 0, external_ids: [] }
    reasons.set(reason, made)
    return made
  }

  return {
    add: (external_id, reason) => {
      const count = countOf(toStorable(reason.slice(0, MAX_REASON_LENGTH)))
      count.items++
      if (count.external_ids.length < NAMED_PER_REASON) count.external_ids.push(toStorable(external_id))
    },
    list: () =>
      [...reasons].map(([reason, count]) => ({ reason, ...count })).sort((left, right) => right.items - left.items)
  }
}
