/**
 * Asks, streams the answer, and adds it to its conversation. A new question aborts the previous one. At the rate limit,
 * the question visibly waits for the next window.
 */
import { useEffect, useRef, useState } from "react"
import { isRateLimited } from "../../api/ApiError.ts"
import type { Answer, AskRequest, Citation } from "../../api/models.ts"
import { pause } from "../../api/pause.ts"
import { brokenOff } from "../../api/streaming.ts"
import { useWorkspace } from "../../api/workspace.tsx"
import { type CallSearch, keyOf } from "../filters/callSearch.ts"
import { findConversation, keepConversation, type KeptAnswer, ownerOf } from "./answerHistory.ts"

export interface Asked {
  readonly request: AskRequest
  readonly state: "answering" | "limited" | "answered" | "stopped" | "failed"
  readonly text: string
  readonly citations: ReadonlyArray<Citation>
  readonly answer: Answer | null
  readonly error: unknown
  /** When the limit allows the next question, in milliseconds since 1970. */
  readonly until: number
  /** ISO 8601; null before it is answered. */
  readonly askedAt: string | null
}

const begun = (request: AskRequest): Asked => ({
  request,
  state: "answering",
  text: "",
  citations: [],
  answer: null,
  error: null,
  until: 0,
  askedAt: null
})

export const settled = ({ answer, askedAt, request }: KeptAnswer): Asked => ({
  ...begun(request),
  state: "answered",
  text: answer.response,
  citations: answer.citations,
  answer,
  askedAt
})

interface Thread {
  readonly answers: ReadonlyArray<KeptAnswer>
  /** The last question, if it has no whole answer. */
  readonly open: Asked | null
}

export const useAnswer = (search: CallSearch) => {
  const { changed, client, me, workspace } = useWorkspace()
  const owner = ownerOf(me, workspace)
  const [thread, setThread] = useState<Thread>({ answers: [], open: null })
  const running = useRef<{ readonly key: string; readonly controller: AbortController } | null>(null)
  const change = (part: (open: Asked) => Partial<Asked>) =>
    setThread(({ answers, open }) => ({ answers, open: open === null ? null : { ...open, ...part(open) } }))

  const end = () => {
    running.current?.controller.abort()
    running.current = null
  }
  useEffect(() => end, [])

  // The address changed by navigation: show the conversation that began with it.
  const key = keyOf(search)
  useEffect(() => {
    if (running.current?.key === key) return
    end()
    setThread({ answers: findConversation(owner, search)?.answers ?? [], open: null })
  }, [key, owner])

  /** `search` is the address of the conversation that has these answers so far. */
  const answer = async (
    search: CallSearch,
    request: AskRequest,
    before: ReadonlyArray<KeptAnswer>,
    signal: AbortSignal
  ): Promise<void> => {
    setThread({ answers: before, open: begun(request) })
    let isWhole = false
    for await (const { data, event } of client.knowledge.askStream(request, { signal })) {
      if (signal.aborted) return
      switch (event) {
        case "citation":
          change(({ citations }) => ({ citations: [...citations, data] }))
          break
        case "delta":
          change(({ text }) => ({ text: text + data.text }))
          break
        case "done": {
          isWhole = true
          const answers = [...before, { request, answer: data, askedAt: new Date().toISOString() }]
          setThread({ answers, open: null })
          keepConversation(owner, { search, answers })
        }
      }
    }
    if (!isWhole) throw brokenOff()
  }

  /** What is being asked, if anything. */
  const asking = thread.open?.state === "answering" || thread.open?.state === "limited" ? thread.open.request : null

  /** Whether it was answered. Enter may be pressed twice: what is being asked is not asked again. */
  const ask = async (
    search: CallSearch,
    request: AskRequest,
    before: ReadonlyArray<KeptAnswer>
  ): Promise<boolean> => {
    if (JSON.stringify(request) === JSON.stringify(asking)) return false
    end()
    const controller = new AbortController()
    const { signal } = controller
    running.current = { key: keyOf(search), controller }
    let isAnswered = false
    for (;;) {
      try {
        await answer(search, request, before, signal)
        isAnswered = !signal.aborted
        break
      } catch (error) {
        if (signal.aborted) break
        if (!isRateLimited(error)) {
          change(() => ({ state: "failed", error }))
          break
        }
        const { retryAfter } = error
        change(() => ({ state: "limited", until: Date.now() + retryAfter * 1_000 }))
        await pause(retryAfter * 1_000, signal)
        if (signal.aborted) break
      }
    }
    void changed("usage")
    return isAnswered
  }

  const stop = () => {
    running.current?.controller.abort()
    change(() => ({ state: "stopped" }))
  }
  return { ...thread, ask, asking, stop, owner }
}
