import type { Question } from "../api/models.ts"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import { ListHead } from "../lists/ListHead.tsx"
import type { ListSearch } from "../lists/listSearch.ts"
import { amount, counted } from "../ui/numbers.ts"
import { Empty } from "../ui/Page.tsx"
import { exportedQuestion } from "./exportedQuestion.ts"
import { QuestionDays } from "./QuestionDays.tsx"
import { CHOICES, isListed } from "./questionFilter.ts"

interface Props {
  /** Of the range of days. */
  readonly questions: ReadonlyArray<Question>
  readonly search: ListSearch
  /** How many were read of all, while more are being read. */
  readonly reading: number | null
  readonly onSearch: (search: ListSearch) => void
  readonly onAdd: (query: string) => void
}

export const QuestionList = ({ onAdd, onSearch, questions, reading, search }: Props) => {
  const listed = questions.filter((question) => isListed(search, question))
  return (
    <>
      <ListHead label="Find a question" search={search} onSearch={onSearch} choices={CHOICES}>
        <span role="status" className="numeric soft">
          {reading === null ? amount(listed.length, "question") : `Reading, ${counted(reading)} so far`}
        </span>
        {reading === null && <ExportButtons name="questions" rows={() => listed.map(exportedQuestion)} />}
      </ListHead>
      {listed.length === 0 && reading === null && (
        <Empty icon="search" title="No question matches">
          <p>The words, the kind and the days are looked for together.</p>
        </Empty>
      )}
      <QuestionDays questions={listed} onAdd={onAdd} />
    </>
  )
}
