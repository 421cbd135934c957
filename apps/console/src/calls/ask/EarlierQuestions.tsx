import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Page.tsx"
import { clearAnswers, useAnswerHistory } from "./answerHistory.ts"
import { AskedRow } from "./AskedRow.tsx"

/** Nothing before the first question. */
export const EarlierQuestions = ({ owner }: { readonly owner: string }) => {
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
          <AskedRow
            key={askedAt}
            search={search}
            askedAt={askedAt}
            badge={!answer.answered && <Badge tone="warn">No evidence</Badge>}
          />
        ))}
      </ul>
    </Card>
  )
}
