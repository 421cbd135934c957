import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/forms/Field.tsx"
import { QuestionInput } from "./QuestionInput.tsx"

const READ = "The language model reads the conversation first. The filters are those of the first question."
const NOT_READ =
  "The last answer is not from the language model, so the conversation was not read. It is sent again with the next question."

interface Props {
  readonly value: string
  readonly onChange: (query: string) => void
  /** Whether the conversation was read for the last answer. */
  readonly wasRead: boolean
  /** Null when there is nothing to stop. */
  readonly onStop: (() => void) | null
  readonly onAsk: (query: string) => void
  /** Takes what is filled in along. */
  readonly onNew: (query: string) => void
}

export const FollowUpForm = ({ onAsk, onChange, onNew, onStop, value, wasRead }: Props) => {
  const [isTried, setTried] = useState(false)
  const isBlank = value.trim() === ""
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(isBlank)
    if (isBlank) event.currentTarget.querySelector("textarea")?.focus()
    else onAsk(value)
  }
  return (
    <form className="card" onSubmit={submit}>
      <Field
        label="Follow-up"
        hint={wasRead ? READ : NOT_READ}
        fault={isTried && isBlank ? "Write a question." : null}
      >
        {(control) => <QuestionInput {...control} value={value} onChange={({ target }) => onChange(target.value)} />}
      </Field>
      <div className="buttons">
        <Button type="submit" kind="primary">Ask follow-up</Button>
        {onStop !== null && <Button onClick={onStop}>Stop</Button>}
        <Button kind="quiet" onClick={() => onNew(value)}>New conversation</Button>
      </div>
    </form>
  )
}
