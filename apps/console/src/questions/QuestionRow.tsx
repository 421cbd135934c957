import { Link } from "@tanstack/react-router"
import type { Question } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { SourceName } from "../sources/SourceName.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { attempt } from "../ui/feedback/useWork.ts"
import { milliseconds } from "../ui/numbers.ts"
import { Moment } from "../ui/time/Moment.tsx"
import { useChange } from "../ui/feedback/useChange.ts"

interface Props {
  readonly question: Question
  readonly onAdd: () => void
}

const Rating = ({ question: { feedback, query, question_id } }: { readonly question: Question }) => {
  const { client } = useWorkspace()
  const change = useChange("questions")
  const rate = (useful: boolean) => attempt(() => change(() => client.questions.rate(question_id, { useful })))
  return (
    <>
      {[true, false].map((useful) => (
        <Button
          key={String(useful)}
          small
          kind="quiet"
          aria-pressed={feedback?.useful === useful}
          aria-label={`The answer to ${query} was ${useful ? "useful" : "not useful"}`}
          onClick={() => rate(useful)}
        >
          {useful ? "Useful" : "Not useful"}
        </Button>
      ))}
    </>
  )
}

export const QuestionRow = ({ onAdd, question }: Props) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const { answered, asked_at, duration_ms, feedback, model, principal, query, sources } = question
  return (
    <li>
      <div>
        <div className="row-title">
          <Badge tone={answered ? "good" : "warn"}>{answered ? "Answered" : "Not answered"}</Badge>
          {feedback !== null && (
            <Badge tone={feedback.useful ? "accent" : "bad"}>{feedback.useful ? "Useful" : "Not useful"}</Badge>
          )}
          <Link to="/w/$workspaceId/playground" params={{ workspaceId: workspace_id }} search={{ q: query }}>
            <bdi>{query}</bdi>
          </Link>
        </div>
        <div className="facts">
          <span>
            <Moment at={asked_at} />
          </span>
          <span>by {principal.type === "user" ? "a person" : "a program"}</span>
          <span>{model}</span>
          <span className="numeric">{milliseconds(duration_ms)}</span>
          {sources.map((source) => <SourceName key={source} source={source} />)}
        </div>
        {typeof feedback?.comment === "string" && (
          <p className="quote">
            <bdi>{feedback.comment}</bdi>
          </p>
        )}
      </div>
      <div className="buttons">
        <Rating question={question} />
        {(!answered || feedback?.useful === false) && (
          <Button small aria-label={`Add a document that answers ${query}`} onClick={onAdd}>Add a document</Button>
        )}
      </div>
    </li>
  )
}
