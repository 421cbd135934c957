import type { Question } from "../api/models.ts"
import { dayIn } from "../charts/days.ts"
import { amount } from "../ui/numbers.ts"
import { dayOf } from "../ui/time/Moment.tsx"
import { QuestionRow } from "./QuestionRow.tsx"

interface Props {
  readonly questions: ReadonlyArray<Question>
  readonly onAdd: (query: string) => void
}

/** Questions under the days on which they were asked. */
export const QuestionDays = ({ onAdd, questions }: Props) =>
  [...Map.groupBy(questions, ({ asked_at }) => dayIn(asked_at))].map(([day, own]) => (
    <section key={day} aria-label={dayOf(day)} className="day-group">
      <h2 className="day-head">
        <span>{dayOf(day)}</span>
        <span className="soft numeric">{amount(own.length, "question")}</span>
      </h2>
      <ul className="rows">
        {own.map((question) => (
          <QuestionRow
            key={question.question_id}
            question={question}
            onAdd={() => onAdd(question.query)}
          />
        ))}
      </ul>
    </section>
  ))
