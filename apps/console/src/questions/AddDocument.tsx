import { Link } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { useConnectors } from "../connectors/useConnectors.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { useWork } from "../ui/feedback/useWork.ts"
import { Field } from "../ui/forms/Field.tsx"
import { Skeleton } from "../ui/Page.tsx"

const NOTES = { name: "Notes", source_name: "notes" }

interface Props {
  /** The question that nothing answered. */
  readonly question: string
  readonly onClose: () => void
}

const Added = ({ onClose, question }: Props) => {
  const { workspace: { workspace_id } } = useWorkspace()
  return (
    <div className="stack">
      <p className="note good" role="status">
        <strong>It is stored</strong>
        It is found within seconds.
      </p>
      <div className="dialog-end">
        <Link
          className="button primary"
          to="/w/$workspaceId/playground"
          params={{ workspaceId: workspace_id }}
          search={{ q: question }}
        >
          Ask again
        </Link>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  )
}

/** Adds a document that answers a question. */
export const AddDocument = ({ onClose, question }: Props) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const connectors = useConnectors()
  const active = connectors.data?.filter(({ is_active }) => is_active)
  const [chosen, setChosen] = useState<string | null>(null)
  const [title, setTitle] = useState(question)
  const [text, setText] = useState("")
  const [missing, setMissing] = useState(false)
  const [added, setAdded] = useState(false)
  const { busy, error, run } = useWork()
  const connector = active?.find(({ connector_id }) => connector_id === chosen) ?? active?.[0]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(true)
    if (text.trim() === "") return
    void run(async () => {
      const { connector_id } = connector ?? await client.connectors.create(NOTES)
      await client.connectors.add(connector_id, [{ title: title.trim() === "" ? question : title, text }])
      await queries.invalidateQueries({ queryKey: [workspace_id] })
      setAdded(true)
    })
  }
  return (
    <Dialog title="Add a document" onClose={onClose}>
      {added ? <Added question={question} onClose={onClose} /> : active === undefined && connectors.error === null
        ? <Skeleton />
        : (
          <form className="form" onSubmit={submit} noValidate>
            <p className="soft wrap-anywhere">
              No document answers <bdi>“{question}”</bdi>. Write one that does.
            </p>
            <Field label="Title">
              {(control) => (
                <input
                  {...control}
                  value={title}
                  maxLength={1_000}
                  onChange={({ target }) => setTitle(target.value)}
                />
              )}
            </Field>
            <Field
              label="Text"
              hint="Markdown is fine."
              fault={missing && text.trim() === "" ? "Write what answers the question." : null}
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={8}
                  value={text}
                  onChange={({ target }) => setText(target.value)}
                />
              )}
            </Field>
            {active !== undefined && active.length > 1 && (
              <Field label="Connector">
                {(control) => (
                  <select
                    {...control}
                    value={connector?.connector_id}
                    onChange={({ target }) => setChosen(target.value)}
                  >
                    {active.map(({ connector_id, name }) => (
                      <option key={connector_id} value={connector_id}>{name}</option>
                    ))}
                  </select>
                )}
              </Field>
            )}
            {error !== null && <Failure error={error} what="It was not stored" />}
            <div className="dialog-end">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" kind="primary" busy={busy}>Add document</Button>
            </div>
          </form>
        )}
    </Dialog>
  )
}
