import type { Question } from "../api/models.ts"
import { BrushHint } from "../charts/BrushHint.tsx"
import { ChosenDays } from "../charts/ChosenDays.tsx"
import { DayBars } from "../charts/DayBars.tsx"
import { dayIn, type DayRange, lastDays } from "../charts/days.ts"
import { counted } from "../ui/numbers.ts"
import { Card } from "../ui/Page.tsx"
import { MAX_QUESTIONS } from "./useQuestions.ts"

/** Days that questions are kept. */
const KEPT = 30

const Figures = ({ questions }: { readonly questions: ReadonlyArray<Question> }) => {
  const unanswered = questions.filter(({ answered }) => !answered).length
  const useful = questions.filter(({ feedback }) => feedback?.useful === true).length
  const useless = questions.filter(({ feedback }) => feedback?.useful === false).length
  return (
    <dl className="figures">
      {[
        ["asked", questions.length],
        ["not answered", unanswered],
        ["rated useful", useful],
        ["rated not useful", useless]
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{counted(Number(value))}</dd>
        </div>
      ))}
    </dl>
  )
}

interface Props {
  /** Of the range. */
  readonly questions: ReadonlyArray<Question>
  /** How many were read, of all days. */
  readonly read: number
  readonly range: DayRange
  readonly onDays: (days: DayRange) => void
}

export const QuestionsByDay = ({ onDays, questions, range, read }: Props) => {
  const byDay = Map.groupBy(questions, ({ asked_at }) => dayIn(asked_at))
  const bars = lastDays(KEPT, Date.now(), range).map((day) => {
    const own = byDay.get(day) ?? []
    return { day, all: own.length, bad: own.filter(({ answered }) => !answered).length }
  })
  return (
    <Card title="By day" aside={<ChosenDays days={range} onDays={onDays} />}>
      <Figures questions={questions} />
      {bars.length > 0 && <DayBars what="questions" badWhat="not answered" days={bars} onDays={onDays} />}
      {read >= MAX_QUESTIONS && <p className="small soft">Of the latest {counted(read)} questions.</p>}
      <BrushHint />
    </Card>
  )
}
