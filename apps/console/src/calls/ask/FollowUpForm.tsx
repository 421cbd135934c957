import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { UnsavedGuard } from "../../ui/dialogs/UnsavedGuard.tsx"
import { Field } from "../../ui/forms/Field.tsx"
import { QuestionInput } from "./QuestionInput.tsx"

const READ = "The language model reads the conversation first. The filters are those of the first question."
const NOT_READ =
  "The last answer is not from the language model, so the conversation was not read. It is sent again with the next question."

interface Props {
  /** Whether the conversation was read for the last answer. */
  readonly wasRead: boolean
  /** The question that is being answered. */
  readonly asking: string | undefined
  /** Null when there is nothing to stop. */
  readonly onStop: (() => void) | null
  /** Whether it was answered. */
  readonly onAsk: (query: string) => Promise<boolean>
  /** Takes what is filled in along. */
  readonly onNew: (query: string) => void
}

export const FollowUpForm = ({ asking, onAsk, onNew, onStop, wasRead }: Props) => {
  const [query, setQuery] = useState("")
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (query.trim() === "") return
    // One may have typed the next question meanwhile.
    if (await onAsk(query)) setQuery((now) => now === query ? "" : now)
  }
  return (
    <form className="card" onSubmit={(event) => void submit(event)}>
      <UnsavedGuard changed={() => query.trim() !== "" && query !== asking} />
      <Field label="Follow-up" hint={wasRead ? READ : NOT_READ}>
        {(control) => <QuestionInput {...control} value={query} onChange={({ target }) => setQuery(target.value)} />}
      </Field>
      <div className="buttons">
        <Button type="submit" kind="primary">Ask follow-up</Button>
        {onStop !== null && <Button onClick={onStop}>Stop</Button>}
        <Button kind="quiet" onClick={() => onNew(query)}>New conversation</Button>
      </div>
    </form>
  )
}
