/** Counts the items that a sync leaves out, by reason. */
import type { RejectedItem } from "../../model/Error.ts"
import type { LeftOut } from "../../model/SyncRun.ts"
import { toStorable } from "../../model/Text.ts"

/** The most reasons: a provider may give each item its own. */
const MOST_REASONS = 20
const LONGEST_REASON = 300
const OTHER = "Other reasons."

/** How many items are named per reason. */
const NAMED = 5

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
    if (reasons.size >= MOST_REASONS && reason !== OTHER) return countOf(OTHER)
    const made = { items: 0, external_ids: [] }
    reasons.set(reason, made)
    return made
  }

  return {
    add: (external_id, reason) => {
      const count = countOf(toStorable(reason.slice(0, LONGEST_REASON)))
      count.items++
      if (count.external_ids.length < NAMED) count.external_ids.push(toStorable(external_id))
    },
    list: () =>
      [...reasons].map(([reason, count]) => ({ reason, ...count })).sort((left, right) => right.items - left.items)
  }
}
