/**
 * Asks and streams the answer. A new question aborts the previous one. At the rate limit, the question visibly waits
 * for the next window.
 */
import { useEffect, useRef, useState } from "react"
import { isRateLimited } from "../../api/ApiError.ts"
import type { Answer, Citation } from "../../api/models.ts"
import { queries } from "../../api/queries.ts"
import { useWorkspace } from "../../api/workspace.tsx"
import { findAnswer, keepAnswer, ownerOf } from "./answerHistory.ts"
import { type CallSearch, keyOf, sentFilters } from "../filters/callSearch.ts"

export interface Asked {
  readonly state: "answering" | "limited" | "answered" | "stopped" | "failed"
  readonly text: string
  readonly citations: ReadonlyArray<Citation>
  readonly answer: Answer | null
  readonly error: unknown
  /** When the limit allows the next question, in milliseconds since 1970. */
  readonly until: number
  /** Null for an answer that was just made. */
  readonly keptSince: string | null
}

const BEGUN: Asked = {
  state: "answering",
  text: "",
  citations: [],
  answer: null,
  error: null,
  until: 0,
  keptSince: null
}

const settled = (answer: Answer, keptSince: string | null): Asked => ({
  ...BEGUN,
  state: "answered",
  text: answer.response,
  citations: answer.citations,
  answer,
  keptSince
})

/** Rejects when it is aborted. */
const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

export const useAnswer = (search: CallSearch) => {
  const { client, me, workspace } = useWorkspace()
  const owner = ownerOf(me, workspace)
  const [asked, setAsked] = useState<Asked | null>(null)
  const running = useRef<{ readonly key: string; readonly controller: AbortController } | null>(null)
  const change = (part: Partial<Asked>) => setAsked((asked) => ({ ...(asked ?? BEGUN), ...part }))

  const end = () => {
    running.current?.controller.abort()
    running.current = null
  }
  useEffect(() => end, [])

  // The address changed by navigation: show the answer that was given for it.
  const key = keyOf(search)
  useEffect(() => {
    if (running.current?.key === key) return
    end()
    const kept = findAnswer(owner, search)
    setAsked(kept === null ? null : settled(kept.answer, kept.askedAt))
  }, [key, owner])

  const answer = async (search: CallSearch, signal: AbortSignal): Promise<void> => {
    setAsked(BEGUN)
    const request = { query: search.q ?? "", ...sentFilters(search) }
    for await (const { data, event } of client.knowledge.askStream(request, { signal })) {
      if (signal.aborted) return
      switch (event) {
        case "citation":
          setAsked((asked) => ({ ...(asked ?? BEGUN), citations: [...(asked ?? BEGUN).citations, data] }))
          break
        case "delta":
          setAsked((asked) => ({ ...(asked ?? BEGUN), text: (asked ?? BEGUN).text + data.text }))
          break
        case "done":
          setAsked(settled(data, null))
          keepAnswer(owner, search, data)
      }
    }
  }

  const ask = async (search: CallSearch): Promise<void> => {
    end()
    const controller = new AbortController()
    const { signal } = controller
    running.current = { key: keyOf(search), controller }
    for (;;) {
      try {
        await answer(search, signal)
        break
      } catch (error) {
        if (signal.aborted) break
        if (!isRateLimited(error)) {
          change({ state: "failed", error })
          break
        }
        change({ state: "limited", until: Date.now() + error.retryAfter * 1_000 })
        if (await sleep(error.retryAfter * 1_000, signal).then(() => false, () => true)) break
      }
    }
    void queries.invalidateQueries({ queryKey: [workspace.workspace_id, "usage"] })
  }

  const stop = () => {
    running.current?.controller.abort()
    change({ state: "stopped" })
  }
  return { asked, ask, stop, owner }
}
