/** Asks, and shows the answer as it is made. A new question ends the one before. */
import type { Answer, AskRequest, Citation } from "@tributary/client"
import { useEffect, useRef, useState } from "react"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"

export interface Asked {
  readonly text: string
  readonly citations: ReadonlyArray<Citation>
  readonly answer: Answer | null
  readonly error: unknown
}

const NOTHING: Asked = { text: "", citations: [], answer: null, error: null }

export const useAnswer = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const [asked, setAsked] = useState<Asked | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const ask = async (request: AskRequest) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setAsked(NOTHING)
    try {
      for await (const { data, event } of client.knowledge.askStream(request, { signal: own.signal })) {
        if (own.signal.aborted) return
        setAsked((asked) => {
          const before = asked ?? NOTHING
          switch (event) {
            case "citation":
              return { ...before, citations: [...before.citations, data] }
            case "delta":
              return { ...before, text: before.text + data.text }
            case "done":
              return { ...before, text: data.response, citations: data.citations, answer: data }
          }
        })
      }
    } catch (error) {
      if (!own.signal.aborted) setAsked((asked) => ({ ...(asked ?? NOTHING), error }))
    } finally {
      void queries.invalidateQueries({ queryKey: [workspace_id, "usage"] })
    }
  }
  const stop = () => running.current?.abort()
  return { asked, ask, stop, busy: asked !== null && asked.answer === null && asked.error === null }
}
