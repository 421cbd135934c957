import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { amount } from "../../ui/numbers.ts"
import { Card } from "../../ui/Page.tsx"
import { keyOf } from "../filters/callSearch.ts"
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
        {kept.map(({ answers, search }) => (
          <AskedRow
            key={keyOf(search)}
            query={search.q ?? ""}
            search={search}
            askedAt={answers.at(-1)?.askedAt ?? ""}
            badge={answers[0]?.answer.answered === false && <Badge tone="warn">No certain answer</Badge>}
          >
            {answers.length > 1 && <p className="small soft">{amount(answers.length - 1, "follow-up")}</p>}
          </AskedRow>
        ))}
      </ul>
    </Card>
  )
}
