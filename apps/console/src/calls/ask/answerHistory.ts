/**
 * A person's latest questions and answers in a workspace, kept in this browser until sign-out. Going back from a
 * citation shows the answer again without a second request.
 */
import type { Answer } from "../../api/models.ts"
import { useSyncExternalStore } from "react"
import { type CallSearch, keyOf } from "../filters/callSearch.ts"

export interface KeptAnswer {
  readonly search: CallSearch
  readonly answer: Answer
  /** ISO 8601. */
  readonly askedAt: string
}

const PREFIX = "tributary.answers."
const MOST = 20

const listeners = new Set<() => void>()
const changed = (): void => {
  for (const listener of listeners) listener()
}

/** The owner of the answers, so that another person in this browser does not see them. */
export const ownerOf = (
  { user }: { readonly user: { readonly user_id: string } },
  { workspace_id }: { readonly workspace_id: string }
): string => `${user.user_id}.${workspace_id}`

const slot = (owner: string): string => `${PREFIX}${owner}`

const parsed = (text: string | null): ReadonlyArray<KeptAnswer> => {
  if (text === null) return []
  try {
    return JSON.parse(text) as ReadonlyArray<KeptAnswer>
  } catch {
    // Written by another release; users can ask the questions again.
    return []
  }
}

/** Returns the same object until the stored history changes. */
let cached: { readonly text: string | null; readonly kept: ReadonlyArray<KeptAnswer> } = { text: null, kept: [] }

const read = (owner: string): ReadonlyArray<KeptAnswer> => {
  const text = localStorage.getItem(slot(owner))
  if (text !== cached.text) cached = { text, kept: parsed(text) }
  return cached.kept
}

const write = (owner: string, kept: ReadonlyArray<KeptAnswer>): void => {
  for (let count = Math.min(MOST, kept.length); count >= 0; count--) {
    try {
      localStorage.setItem(slot(owner), JSON.stringify(kept.slice(0, count)))
      break
    } catch {
      // The browser's storage is full: drop the oldest answer.
    }
  }
  changed()
}

export const keepAnswer = (owner: string, search: CallSearch, answer: Answer): void => {
  const others = read(owner).filter((kept) => keyOf(kept.search) !== keyOf(search))
  write(owner, [{ search, answer, askedAt: new Date().toISOString() }, ...others])
}

export const findAnswer = (owner: string, search: CallSearch): KeptAnswer | null =>
  read(owner).find((kept) => keyOf(kept.search) === keyOf(search)) ?? null

export const clearAnswers = (owner: string): void => write(owner, [])

/** Removes the answers of all people, at sign-out. */
export const forgetAnswers = (): void => {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key)
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  addEventListener("storage", listener)
  return () => {
    listeners.delete(listener)
    removeEventListener("storage", listener)
  }
}

export const useAnswerHistory = (owner: string): ReadonlyArray<KeptAnswer> =>
  useSyncExternalStore(subscribe, () => read(owner))
