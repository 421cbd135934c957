import { type FormEvent, type RefObject, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/forms/Field.tsx"
import { type CallSearch, callSearchOf, hasFilters } from "../filters/callSearch.ts"
import { FilterFields } from "../filters/FilterFields.tsx"
import { useCallDraft } from "../filters/useCallDraft.ts"
import { LanguageField } from "./LanguageField.tsx"
import { QuestionInput } from "./QuestionInput.tsx"

interface Props {
  readonly search: CallSearch
  readonly question: RefObject<HTMLTextAreaElement | null>
  /** Empty for that of the question. */
  readonly language: string
  readonly onLanguage: (language: string) => void
  /** Null when there is nothing to stop. */
  readonly onStop: (() => void) | null
  readonly onAsk: (search: CallSearch) => void
  readonly onAskLater: (search: CallSearch) => Promise<void>
}

export const AskForm = (
  { language, onAsk, onAskLater, onLanguage, onStop, question, search }: Props
) => {
  const [draft, setDraft] = useCallDraft(search)
  const [hadLanguage] = useState(language !== "")
  /** Null while there is no question. */
  const filled = (draft.q ?? "").trim() === "" ? null : callSearchOf({ ...draft })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (filled !== null) onAsk(filled)
  }
  return (
    <form className="card" onSubmit={submit}>
      <Field
        label="Question"
        hint="Answered from the knowledge context alone, with word-for-word quotes."
      >
        {(control) => (
          <QuestionInput
            {...control}
            ref={question}
            value={draft.q ?? ""}
            onChange={({ target }) => setDraft({ ...draft, q: target.value })}
          />
        )}
      </Field>
      <FilterFields
        title="Filters and language"
        value={draft}
        onChange={setDraft}
        open={hasFilters(search) || hadLanguage}
      >
        <LanguageField value={language} onChange={onLanguage} />
      </FilterFields>
      <div className="buttons">
        <Button type="submit" kind="primary">Ask</Button>
        {onStop !== null && <Button onClick={onStop}>Stop</Button>}
        <Button kind="quiet" onClick={() => filled === null ? undefined : onAskLater(filled)}>Ask as a job</Button>
      </div>
    </form>
  )
}
