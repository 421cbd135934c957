import { Badge } from "../../ui/Badge.tsx"
import { Failure } from "../../ui/feedback/Failure.tsx"
import { Countdown } from "../../ui/time/Countdown.tsx"
import { Moment } from "../../ui/time/Moment.tsx"
import { AnswerView } from "./AnswerView.tsx"
import type { Asked } from "./useAnswer.ts"

const State = ({ asked: { answer, state } }: { readonly asked: Asked }) => {
  switch (state) {
    case "answering":
      return <Badge tone="accent">Answering…</Badge>
    case "stopped":
      return <Badge>Stopped</Badge>
    case "failed":
      return <Badge tone="bad">Not complete</Badge>
    default:
      return answer?.answered === false
        ? <Badge tone="warn">No certain answer</Badge>
        : <Badge tone="good">{answer?.model}</Badge>
  }
}

/** A question, and what became of it. */
export const AskedView = ({ asked }: { readonly asked: Asked }) => {
  const { answer, askedAt, citations, error, request: { query }, state, text, until } = asked
  if (state === "failed" && text === "") return <Failure error={error} what="The question could not be answered" />
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
    <section className="card" aria-label={`Answer to ${query}`} aria-busy={state === "answering"}>
      <div className="card-head">
        <h2 className="wrap-anywhere">
          <bdi>{query}</bdi>
        </h2>
        <span className="small soft">
          {askedAt !== null && (
            <>
              asked <Moment at={askedAt} />
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
      {state === "failed" && <Failure error={error} what="The rest of the answer is missing" />}
      {answer?.answered === false && (
        <p className="soft">
          Check that the range of the knowledge context covers what you asked about. The search looks at everything that
          is stored.
        </p>
      )}
    </section>
  )
}
