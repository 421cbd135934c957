import { type FormEvent, type RefObject, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/forms/Field.tsx"
import { type CallSearch, callSearchOf, hasFilters } from "../filters/callSearch.ts"
import { FilterFields } from "../filters/FilterFields.tsx"
import { LanguageField } from "./LanguageField.tsx"
import { QuestionInput } from "./QuestionInput.tsx"

interface Props {
  readonly search: CallSearch
  readonly draft: CallSearch
  readonly onDraft: (draft: CallSearch) => void
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
  { draft, language, onAsk, onAskLater, onDraft, onLanguage, onStop, question, search }: Props
) => {
  const [isTried, setTried] = useState(false)
  const [hadChoices] = useState(language !== "" || hasFilters(draft))
  /** Null while there is no question. */
  const filled = (draft.q ?? "").trim() === "" ? null : callSearchOf({ ...draft })
  const send = (work: (search: CallSearch) => unknown) => {
    setTried(filled === null)
    return filled === null ? question.current?.focus() : work(filled)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(onAsk)
  }
  return (
    <form className="card" onSubmit={submit}>
      <Field
        label="Question"
        hint="Answered from the knowledge context alone, with word-for-word quotes."
        fault={isTried && filled === null ? "Write a question." : null}
      >
        {(control) => (
          <QuestionInput
            {...control}
            ref={question}
            value={draft.q ?? ""}
            onChange={({ target }) => onDraft({ ...draft, q: target.value })}
          />
        )}
      </Field>
      <FilterFields
        title="Filters and language"
        value={draft}
        onChange={onDraft}
        open={hasFilters(search) || hadChoices}
      >
        <LanguageField value={language} onChange={onLanguage} />
      </FilterFields>
      <div className="buttons">
        <Button type="submit" kind="primary">Ask</Button>
        {onStop !== null && <Button onClick={onStop}>Stop</Button>}
        <Button kind="quiet" onClick={() => send(onAskLater)}>Ask as a job</Button>
      </div>
    </form>
  )
}
