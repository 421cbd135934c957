import type { CustomConnector } from "../api/models.ts"
import { type FormEvent, useState } from "react"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Field } from "../ui/forms/Field.tsx"
import { NameField } from "../ui/forms/NameField.tsx"
import { useWork } from "../ui/feedback/useWork.ts"

/** Derives a valid source name from a name. */
const sourceNameOf = (name: string): string =>
  name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 64).replace(/-$/, "")

const listOf = (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter(Boolean)

interface Props {
  /** Null for a new one. */
  readonly connector: CustomConnector | null
  readonly onDone: (connector: CustomConnector) => unknown
}

export const ConnectorForm = ({ connector, onDone }: Props) => {
  const { client, workspace } = useWorkspace()
  const [name, setName] = useState(connector?.name ?? "")
  const [source, setSource] = useState<string | null>(connector?.source_name ?? null)
  const [kinds, setKinds] = useState(connector?.accepted_kinds.join(", ") ?? "")
  const [tried, setTried] = useState(false)
  const { busy, error, run } = useWork()
  const source_name = source ?? sourceNameOf(name)
  const fault = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(source_name)
    ? null
    : "Small letters and digits, with single hyphens between."

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === "" || fault !== null) return
    const fields = { name, accepted_kinds: listOf(kinds) }
    void run(async () => {
      const saved = connector === null
        ? await client.connectors.create({ ...fields, source_name })
        : await client.connectors.update(connector.connector_id, fields)
      await queries.invalidateQueries({ queryKey: [workspace.workspace_id, "connectors"] })
      await onDone(saved)
    })
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <NameField
        fault={tried && name.trim() === "" ? "Give the connector a name." : null}
        value={name}
        onChange={setName}
      />
      <Field
        label="Source name"
        hint={connector === null
          ? "Searches and citations show it as custom:NAME. It cannot be changed later, or used again."
          : "It never changes."}
        fault={tried && name.trim() !== "" ? fault : null}
      >
        {(control) => (
          <input
            {...control}
            value={source_name}
            readOnly={connector !== null}
            maxLength={64}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setSource(event.target.value)}
          />
        )}
      </Field>
      <Field label="Accepted kinds" hint="Such as message, page, file; with commas between. Empty: every kind.">
        {(control) => (
          <input
            {...control}
            value={kinds}
            onChange={(event) => setKinds(event.target.value)}
            autoComplete="off"
          />
        )}
      </Field>
      {error !== null && <Failure error={error} what="It was not saved" />}
      <div className="dialog-end">
        <Button type="submit" kind="primary" busy={busy}>{connector === null ? "Create connector" : "Save"}</Button>
      </div>
    </form>
  )
}
