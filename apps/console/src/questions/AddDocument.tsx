import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { CustomConnector } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { connectorFor } from "../connectors/connectorFor.ts"
import { useConnectors } from "../connectors/useConnectors.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Form } from "../ui/forms/Form.tsx"
import { useForm } from "../ui/forms/useForm.ts"

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

interface FormProps extends Props {
  readonly connectors: ReadonlyArray<CustomConnector>
  readonly onAdded: () => void
}

const DocumentForm = ({ connectors, onAdded, onClose, question }: FormProps) => {
  const { changed, client } = useWorkspace()
  const form = useForm({
    values: { title: question, text: "", connector: connectors[0]?.connector_id ?? "" },
    check: ({ text }) => ({ text: text.trim() === "" && "Write what answers the question." }),
    submit: async ({ connector, text, title }) => {
      const id = connector === "" ? (await connectorFor(client, NOTES)).connector_id : connector
      await client.connectors.add(id, [{ title: title.trim() === "" ? question : title, text }])
      await changed()
      onAdded()
    }
  })
  return (
    <Form
      form={form}
      action="Add document"
      failure="It was not stored"
      beside={<Button onClick={onClose}>Cancel</Button>}
    >
      <p className="soft wrap-anywhere">
        No document answers <bdi>“{question}”</bdi>. Write one that does.
      </p>
      <form.AppField name="title">{({ Text }) => <Text label="Title" maxLength={1_000} />}</form.AppField>
      <form.AppField name="text">
        {({ LongText }) => <LongText label="Text" hint="Markdown is fine." rows={8} />}
      </form.AppField>
      {connectors.length > 1 && (
        <form.AppField name="connector">
          {({ Select }) => (
            <Select label="Connector" options={connectors.map(({ connector_id, name }) => [connector_id, name])} />
          )}
        </form.AppField>
      )}
    </Form>
  )
}

export const AddDocument = ({ onClose, question }: Props) => {
  const connectors = useConnectors()
  const [added, setAdded] = useState(false)
  return (
    <Dialog title="Add a document" onClose={onClose}>
      {added
        ? <Added question={question} onClose={onClose} />
        : connectors.data !== undefined
        ? (
          <DocumentForm
            question={question}
            connectors={connectors.data.filter(({ is_active }) => is_active)}
            onAdded={() => setAdded(true)}
            onClose={onClose}
          />
        )
        : <NotLoaded query={connectors} what="Nothing can be added" />}
    </Dialog>
  )
}
