import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import type { Question } from "../api/models.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { DayBars } from "../charts/DayBars.tsx"
import { dayIn, lastDays } from "../charts/days.ts"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import type { Row } from "../lists/exporting.ts"
import { ListHead } from "../lists/ListHead.tsx"
import { hasWords, type ListSearch } from "../lists/listSearch.ts"
import { AddDocument } from "../questions/AddDocument.tsx"
import { QuestionRow } from "../questions/QuestionRow.tsx"
import { MOST, useQuestions } from "../questions/useQuestions.ts"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"
import { dayOf } from "../ui/time/Moment.tsx"

const PATH = "/w/$workspaceId/questions"

/** Days that questions are kept. */
const KEPT = 30

const CHOICES = {
  label: "Which",
  of: [
    ["", "All"],
    ["unanswered", "Not answered"],
    ["useful", "Rated useful"],
    ["useless", "Rated not useful"]
  ]
} as const

const isChosen = ({ is }: ListSearch, { answered, feedback }: Question): boolean =>
  is === "unanswered" ? !answered : is === "useful" || is === "useless" ? feedback?.useful === (is === "useful") : true

const rowOf = (question: Question): Row => ({
  question_id: question.question_id,
  asked_at: question.asked_at,
  query: question.query,
  answered: String(question.answered),
  model: question.model,
  duration_ms: question.duration_ms,
  sources: question.sources.join(" "),
  useful: question.feedback === null ? null : String(question.feedback.useful),
  comment: question.feedback?.comment ?? null
})

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

const barsOf = (questions: ReadonlyArray<Question>) =>
  lastDays(KEPT, Date.now()).map((day) => {
    const own = questions.filter(({ asked_at }) => dayIn(asked_at) === day)
    return { day, all: own.length, bad: own.filter(({ answered }) => !answered).length }
  })

const byDay = (questions: ReadonlyArray<Question>) => [...Map.groupBy(questions, ({ asked_at }) => dayIn(asked_at))]

export const Questions = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const search = useSearch({ from: PATH })
  const navigate = useNavigate()
  const { error, isReading, questions, refetch } = useQuestions()
  const [adding, setAdding] = useState<string | null>(null)
  const [deleting, setDeleting] = useState(false)
  const listed = questions?.filter((question) => isChosen(search, question) && hasWords(search, question.query))
  const onSearch = (search: ListSearch) =>
    void navigate({ to: PATH, params: { workspaceId: workspace_id }, search, replace: true })
  const remove = async () => {
    await client.questions.deleteAll()
    await queries.invalidateQueries({ queryKey: [workspace_id, "questions"] })
    toast("The questions are deleted.")
  }
  return (
    <Page
      title="Questions"
      lead="What was asked in the last 30 days, and what nothing stored could answer."
      actions={questions !== undefined && questions.length > 0 && (
        <Button
          kind="quiet bad"
          onClick={() => setDeleting(true)}
        >
          Delete all
        </Button>
      )}
    >
      {error !== null && questions === undefined && (
        <Failure
          error={error}
          what="The questions cannot be shown"
          retry={() => void refetch()}
        />
      )}
      {questions !== undefined && questions.length > 0 && (
        <Card title="By day">
          <Figures questions={questions} />
          <DayBars what="questions" badWhat="not answered" days={barsOf(questions)} />
          {questions.length >= MOST && <p className="small soft">Of the latest {counted(questions.length)}.</p>}
        </Card>
      )}
      {(error === null || questions !== undefined) && (
        <Card flush>
          {questions === undefined && <CardSkeleton lines={6} />}
          {questions?.length === 0 && (
            <Empty icon="questions" title="Nothing was asked yet">
              <p>
                Questions of people, programs and assistants are kept here for 30 days, unless the operator of the
                server has switched that off.
              </p>
            </Empty>
          )}
          {questions !== undefined && questions.length > 0 && (
            <ListHead label="Find a question" search={search} onSearch={onSearch} choices={CHOICES}>
              <span role="status" className="numeric soft">
                {isReading ? `Reading, ${counted(questions.length)} so far` : amount(listed?.length ?? 0, "question")}
              </span>
              <ExportButtons
                name="questions"
                rows={() =>
                  (listed ?? []).map(rowOf)}
              />
            </ListHead>
          )}
          {questions !== undefined && questions.length > 0 && listed?.length === 0 && !isReading && (
            <Empty icon="search" title="No question matches">
              <p>This looks at what was asked.</p>
            </Empty>
          )}
          {byDay(listed ?? []).map(([day, own]) => (
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
                    onAdd={() => setAdding(question.query)}
                  />
                ))}
              </ul>
            </section>
          ))}
        </Card>
      )}
      {adding !== null && <AddDocument question={adding} onClose={() => setAdding(null)} />}
      {deleting && (
        <Confirm
          title="Delete all questions?"
          action="Delete all"
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          <p>What was asked in this workspace, and how it was rated, is gone. Documents and answers of jobs stay.</p>
        </Confirm>
      )}
    </Page>
  )
}
