import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../../api/workspace.tsx"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Moment } from "../../ui/time/Moment.tsx"
import { Card } from "../../ui/Page.tsx"
import { clearAnswers, useAnswerHistory } from "./answerHistory.ts"

/** Nothing before the first question. */
export const EarlierQuestions = ({ owner }: { readonly owner: string }) => {
  const { workspace } = useWorkspace()
  const kept = useAnswerHistory(owner)
  if (kept.length === 0) return null
  return (
    <Card
      flush
      title="Asked before"
      aside={<Button small kind="quiet" onClick={() => clearAnswers(owner)}>Clear</Button>}
    >
      <ul className="rows">
        {kept.map(({ answer, askedAt, search }) => (
          <li key={askedAt}>
            <div className="row-title">
              <Link
                to="/w/$workspaceId/playground"
                params={{ workspaceId: workspace.workspace_id }}
                search={search}
              >
                {search.q}
              </Link>
              {!answer.answered && <Badge tone="warn">No evidence</Badge>}
            </div>
            <span className="small soft">
              <Moment at={askedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
