import type { FormEvent } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/forms/Field.tsx"
import { type CallSearch, callSearchOf, hasFilters } from "../filters/callSearch.ts"
import { FilterFields } from "../filters/FilterFields.tsx"
import { useCallDraft } from "../filters/useCallDraft.ts"

interface Props {
  readonly search: CallSearch
  /** Null when there is nothing to stop. */
  readonly onStop: (() => void) | null
  readonly onAsk: (search: CallSearch) => void
  readonly onAskLater: (search: CallSearch) => void
}

export const AskForm = ({ onAsk, onAskLater, onStop, search }: Props) => {
  const [draft, setDraft] = useCallDraft(search)
  const send = (use: (search: CallSearch) => void) => {
    if ((draft.q ?? "").trim() !== "") use(callSearchOf({ ...draft }))
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
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={2_000}
            value={draft.q ?? ""}
            onChange={(event) => setDraft({ ...draft, q: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
              submit(event)
            }}
          />
        )}
      </Field>
      <FilterFields value={draft} onChange={setDraft} open={hasFilters(search)} />
      <div className="buttons">
        <Button type="submit" kind="primary">Ask</Button>
        {onStop !== null && <Button onClick={onStop}>Stop</Button>}
        <Button kind="quiet" onClick={() => send(onAskLater)}>Ask as a job</Button>
      </div>
    </form>
  )
}
