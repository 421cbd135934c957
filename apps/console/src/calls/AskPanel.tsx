import { useNavigate } from "@tanstack/react-router"
import type { AskRequest } from "@tributary/client"
import { type FormEvent, useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { toast } from "../ui/Toasts.tsx"
import { attempt } from "../ui/useWork.ts"
import { AnswerView } from "./AnswerView.tsx"
import { CallCode } from "./CallCode.tsx"
import { FilterFields } from "./FilterFields.tsx"
import { NO_FILTERS, sentFilters } from "./filters.ts"
import { askProgram, curlOf } from "./snippets.ts"
import { useAnswer } from "./useAnswer.ts"

export const AskPanel = () => {
  const { client, workspace } = useWorkspace()
  const navigate = useNavigate()
  const [query, setQuery] = useState("")
  const [filters, setFilters] = useState(NO_FILTERS)
  const [sent, setSent] = useState<AskRequest | null>(null)
  const { ask, asked, busy } = useAnswer()
  const request = (): AskRequest => ({ query, ...sentFilters(filters) })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (query.trim() === "" || busy) return
    setSent(request())
    void ask(request())
  }
  const askLater = () => {
    if (query.trim() === "") return
    void attempt(async () => {
      await client.knowledge.askLater(request())
      toast("The question waits for its answer.")
      await navigate({ to: "/w/$workspaceId/jobs", params: { workspaceId: workspace.workspace_id } })
    })
  }

  return (
    <>
      <form className="card" onSubmit={submit}>
        <Field
          label="Question"
          hint="Answered from the knowledge context alone, with quotes that stand word for word in its documents."
        >
          {(control) => (
            <textarea
              {...control}
              rows={2}
              maxLength={2_000}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
                submit(event)
              }}
            />
          )}
        </Field>
        <FilterFields filters={filters} onChange={setFilters} />
        <div className="buttons">
          <Button type="submit" kind="primary" busy={busy}>Ask</Button>
          <Button kind="quiet" onClick={askLater}>Ask as a job</Button>
        </div>
      </form>
      {asked !== null && asked.error !== null && (
        <Failure error={asked.error} what="The question could not be answered" />
      )}
      {asked !== null && asked.error === null && (
        <section className="card" aria-label="Answer" aria-busy={busy}>
          <div className="card-head">
            <h2>Answer</h2>
            <span role="status">
              {busy
                ? <Badge tone="accent">Answering…</Badge>
                : asked.answer?.answered === false
                ? <Badge tone="warn">No evidence in the context</Badge>
                : <Badge tone="good">{asked.answer?.model}</Badge>}
            </span>
          </div>
          <AnswerView text={asked.text} citations={asked.citations} warnings={asked.answer?.warnings} />
          {asked.answer?.answered === false && (
            <p className="soft">
              Look whether the range of the knowledge context holds what you asked about, and whether it is stored at
              all: the search looks at everything.
            </p>
          )}
        </section>
      )}
      {sent !== null && (
        <CallCode
          curl={curlOf("/v1/knowledge/ask", sent, ["Accept: text/event-stream"])}
          program={askProgram(sent)}
        />
      )}
    </>
  )
}
