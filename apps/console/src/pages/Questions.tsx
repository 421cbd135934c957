import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import type { Question } from "../api/models.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { dayIn, type DayRange, dayRangeOf, isWithin } from "../charts/days.ts"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import type { Row } from "../lists/exporting.ts"
import { ListHead } from "../lists/ListHead.tsx"
import { hasWords, type ListSearch, listSearchOf } from "../lists/listSearch.ts"
import { AddDocument } from "../questions/AddDocument.tsx"
import { QuestionRow } from "../questions/QuestionRow.tsx"
import { QuestionsByDay } from "../questions/QuestionsByDay.tsx"
import { useQuestions } from "../questions/useQuestions.ts"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"
import { dayOf } from "../ui/time/Moment.tsx"

const PATH = "/w/$workspaceId/questions"

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

const byDay = (questions: ReadonlyArray<Question>) => [...Map.groupBy(questions, ({ asked_at }) => dayIn(asked_at))]

export const Questions = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const { error, isReading, questions: all, refetch } = useQuestions()
  const questions = all?.filter(({ asked_at }) => isWithin(search, dayIn(asked_at)))
  const [adding, setAdding] = useState<string | null>(null)
  const [deleting, setDeleting] = useState(false)
  const isEmpty = all?.length === 0
  const listed = questions?.filter((question) => isChosen(search, question) && hasWords(search, question.query))
  const show = (list: ListSearch, days: DayRange) =>
    void navigate({
      search: { ...listSearchOf({ ...list }), ...dayRangeOf({ ...days }) },
      replace: true,
      resetScroll: false
    })
  const remove = async () => {
    await client.questions.deleteAll()
    await queries.invalidateQueries({ queryKey: [workspace_id, "questions"] })
    toast("The questions are deleted.")
  }
  return (
    <Page
      title="Questions"
      lead="What was asked in the last 30 days, and what nothing stored could answer."
      actions={all !== undefined && !isEmpty && (
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
      {all !== undefined && questions !== undefined && !isEmpty && (
        <QuestionsByDay
          questions={questions}
          read={all.length}
          range={search}
          onDays={(days) => show(search, days)}
        />
      )}
      {(error === null || questions !== undefined) && (
        <Card flush>
          {questions === undefined && <CardSkeleton lines={6} />}
          {isEmpty && (
            <Empty icon="questions" title="Nothing was asked yet">
              <p>
                Questions of people, programs and assistants are kept here for 30 days, unless the operator of the
                server has switched that off.
              </p>
            </Empty>
          )}
          {all !== undefined && !isEmpty && (
            <ListHead
              label="Find a question"
              search={search}
              onSearch={(list) => show(list, search)}
              choices={CHOICES}
            >
              <span role="status" className="numeric soft">
                {isReading ? `Reading, ${counted(all.length)} so far` : amount(listed?.length ?? 0, "question")}
              </span>
              <ExportButtons
                name="questions"
                rows={() => (listed ?? []).map(rowOf)}
              />
            </ListHead>
          )}
          {!isEmpty && listed?.length === 0 && !isReading && (
            <Empty icon="search" title="No question matches">
              <p>The words, the kind and the days are looked for together.</p>
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
