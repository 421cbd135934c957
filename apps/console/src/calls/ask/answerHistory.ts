/**
 * A person's latest conversations in a workspace, kept in this browser until sign-out. Going back from a citation shows
 * the answers again without a second request.
 */
import type { Answer, AskRequest } from "../../api/models.ts"
import { ANSWERS } from "../../api/signedOut.ts"
import { useSyncExternalStore } from "react"
import { type CallSearch, keyOf } from "../filters/callSearch.ts"

export interface KeptAnswer {
  /** As it was sent, with the turns before it. */
  readonly request: AskRequest
  readonly answer: Answer
  /** ISO 8601. */
  readonly askedAt: string
}

export interface Conversation {
  /** The address of its first question, which is that of the conversation. */
  readonly search: CallSearch
  /** Oldest first. */
  readonly answers: ReadonlyArray<KeptAnswer>
}

const MAX_CONVERSATIONS = 20

const listeners = new Set<() => void>()
const changed = (): void => {
  for (const listener of listeners) listener()
}

/** The owner of the answers, so that another person in this browser does not see them. */
export const ownerOf = (
  { user }: { readonly user: { readonly user_id: string } },
  { workspace_id }: { readonly workspace_id: string }
): string => `${user.user_id}.${workspace_id}`

const slot = (owner: string): string => `${ANSWERS}${owner}`

/** What another release wrote is left out; users can ask the questions again. */
const parsed = (text: string | null): ReadonlyArray<Conversation> => {
  if (text === null) return []
  try {
    return (JSON.parse(text) as ReadonlyArray<Partial<Conversation>>).filter((one): one is Conversation =>
      one.answers !== undefined && one.answers.length > 0
    )
  } catch {
    return []
  }
}

/** Returns the same object until the stored history changes. */
let cached: { readonly text: string | null; readonly kept: ReadonlyArray<Conversation> } = { text: null, kept: [] }

const read = (owner: string): ReadonlyArray<Conversation> => {
  const text = localStorage.getItem(slot(owner))
  if (text !== cached.text) cached = { text, kept: parsed(text) }
  return cached.kept
}

const write = (owner: string, kept: ReadonlyArray<Conversation>): void => {
  for (let count = Math.min(MAX_CONVERSATIONS, kept.length); count >= 0; count--) {
    try {
      localStorage.setItem(slot(owner), JSON.stringify(kept.slice(0, count)))
      break
    } catch {
      // The browser's storage is full: drop the oldest conversation.
    }
  }
  changed()
}

export const keepConversation = (owner: string, conversation: Conversation): void => {
  const others = read(owner).filter(({ search }) => keyOf(search) !== keyOf(conversation.search))
  write(owner, [conversation, ...others])
}

export const findConversation = (owner: string, search: CallSearch): Conversation | null =>
  read(owner).find((kept) => keyOf(kept.search) === keyOf(search)) ?? null

export const clearAnswers = (owner: string): void => write(owner, [])

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  addEventListener("storage", listener)
  return () => {
    listeners.delete(listener)
    removeEventListener("storage", listener)
  }
}

export const useAnswerHistory = (owner: string): ReadonlyArray<Conversation> =>
  useSyncExternalStore(subscribe, () => read(owner))
