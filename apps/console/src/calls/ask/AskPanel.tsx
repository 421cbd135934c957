import { useNavigate } from "@tanstack/react-router"
import type { AskRequest } from "../../api/models.ts"
import { useWorkspace } from "../../api/workspace.tsx"
import { Badge } from "../../ui/Badge.tsx"
import { Countdown } from "../../ui/time/Countdown.tsx"
import { Failure } from "../../ui/feedback/Failure.tsx"
import { Moment } from "../../ui/time/Moment.tsx"
import { toast } from "../../ui/feedback/Toasts.tsx"
import { attempt } from "../../ui/feedback/useWork.ts"
import { AnswerView } from "./AnswerView.tsx"
import { AskForm } from "./AskForm.tsx"
import { CallCode } from "../code/CallCode.tsx"
import { type CallSearch, sentFilters } from "../filters/callSearch.ts"
import { EarlierQuestions } from "./EarlierQuestions.tsx"
import { type Asked, useAnswer } from "./useAnswer.ts"

const requestOf = (search: CallSearch): AskRequest => ({ query: search.q ?? "", ...sentFilters(search) })

const State = ({ asked: { answer, state } }: { readonly asked: Asked }) => {
  switch (state) {
    case "answering":
      return <Badge tone="accent">Answering…</Badge>
    case "stopped":
      return <Badge>Stopped</Badge>
    default:
      return answer?.answered === false
        ? <Badge tone="warn">No evidence in the context</Badge>
        : <Badge tone="good">{answer?.model}</Badge>
  }
}

const Shown = ({ asked }: { readonly asked: Asked }) => {
  const { answer, citations, error, keptSince, state, text, until } = asked
  if (state === "failed") return <Failure error={error} what="The question could not be answered" />
  if (state === "limited") {
    return (
      <div className="note warn" role="status">
        <strong>The limit of this plan is used up for now</strong>
        <p>
          The question is asked again in <Countdown until={until} />. Stop it, or ask another one instead.
        </p>
      </div>
    )
  }
  return (
    <section className="card" aria-label="Answer" aria-busy={state === "answering"}>
      <div className="card-head">
        <h2>Answer</h2>
        <span className="small soft">
          {keptSince !== null && (
            <>
              asked <Moment at={keptSince} />
              {" "}
            </>
          )}
          <span role="status">
            <State asked={asked} />
          </span>
        </span>
      </div>
      {state === "stopped" && text === "" && <p className="soft">It was stopped before anything was answered.</p>}
      <AnswerView text={text} citations={citations} answer={answer} />
      {answer?.answered === false && (
        <p className="soft">
          Check that the range of the knowledge context covers what you asked about. The search looks at everything that
          is stored.
        </p>
      )}
    </section>
  )
}

interface Props {
  readonly search: CallSearch
  /** Puts the question into the address. */
  readonly onSearch: (search: CallSearch) => void
}

export const AskPanel = ({ onSearch, search }: Props) => {
  const { client, workspace } = useWorkspace()
  const navigate = useNavigate()
  const { ask, asked, owner, stop } = useAnswer(search)
  const isRunning = asked?.state === "answering" || asked?.state === "limited"
  const askLater = (search: CallSearch) =>
    void attempt(async () => {
      await client.knowledge.askLater(requestOf(search))
      toast("The question waits for its answer.")
      await navigate({ to: "/w/$workspaceId/jobs", params: { workspaceId: workspace.workspace_id } })
    })

  return (
    <>
      <AskForm
        search={search}
        onStop={isRunning ? stop : null}
        onAsk={(search) => {
          void ask(search)
          onSearch(search)
        }}
        onAskLater={askLater}
      />
      {asked !== null && <Shown asked={asked} />}
      {asked !== null && search.q !== undefined && <CallCode call={{ operation: "ask", body: requestOf(search) }} />}
      <EarlierQuestions owner={owner} />
    </>
  )
}
