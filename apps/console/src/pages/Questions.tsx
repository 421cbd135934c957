import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { type DayRange, dayRangeOf } from "../charts/days.ts"
import { type ListSearch, listSearchOf } from "../lists/listSearch.ts"
import { AddDocument } from "../questions/AddDocument.tsx"
import { DeleteQuestions } from "../questions/DeleteQuestions.tsx"
import { isInRange } from "../questions/questionFilter.ts"
import { QuestionList } from "../questions/QuestionList.tsx"
import { QuestionsByDay } from "../questions/QuestionsByDay.tsx"
import { useQuestions } from "../questions/useQuestions.ts"
import { Button } from "../ui/Button.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Card, Empty, Page } from "../ui/Page.tsx"
import { ShowMore } from "../ui/ShowMore.tsx"

const PATH = "/w/$workspaceId/questions"

export const Questions = () => {
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const { isReading, list, questions = [] } = useQuestions()
  const [adding, setAdding] = useState<string | null>(null)
  const [deleting, setDeleting] = useState(false)
  const inRange = questions.filter((question) => isInRange(search, question))
  const show = (list: ListSearch, days: DayRange) =>
    void navigate({
      search: { ...listSearchOf({ ...list }), ...dayRangeOf({ ...days }) },
      replace: true,
      resetScroll: false
    })
  return (
    <Page
      title="Questions"
      lead="What was asked in the last 30 days, and what nothing stored could answer."
      actions={questions.length > 0 && <Button kind="quiet bad" onClick={() => setDeleting(true)}>Delete all</Button>}
    >
      {questions.length > 0 && (
        <QuestionsByDay
          questions={inRange}
          read={questions.length}
          range={search}
          onDays={(days) => show(search, days)}
        />
      )}
      <Card flush>
        {list.data === undefined && <NotLoaded flush query={list} what="The questions cannot be shown" lines={6} />}
        {list.data !== undefined && questions.length === 0 && (
          <Empty icon="questions" title="Nothing was asked yet">
            <p>
              Questions of people, programs and assistants are kept here for 30 days, unless the operator of the server
              has switched that off.
            </p>
          </Empty>
        )}
        {questions.length > 0 && (
          <QuestionList
            questions={inRange}
            search={search}
            reading={isReading ? questions.length : null}
            onSearch={(list) => show(list, search)}
            onAdd={setAdding}
          />
        )}
        {list.isFetchNextPageError && <ShowMore list={list} />}
      </Card>
      {adding !== null && <AddDocument question={adding} onClose={() => setAdding(null)} />}
      {deleting && <DeleteQuestions onClose={() => setDeleting(false)} />}
    </Page>
  )
}
