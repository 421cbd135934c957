import type { CustomConnector } from "../api/models.ts"
import { useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { differing } from "../ui/forms/differing.ts"
import { Form } from "../ui/forms/Form.tsx"
import { useForm } from "../ui/forms/useForm.ts"
import { useConnectors } from "./useConnectors.ts"

/** Derives a valid source name from a name. */
const sourceNameOf = (name: string): string =>
  name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 64).replace(/-$/, "")

const SOURCE_NAME = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/

const listOf = (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter(Boolean)

interface Props {
  /** Null for a new one. */
  readonly connector: CustomConnector | null
  readonly onDone: (connector: CustomConnector) => unknown
}

export const ConnectorForm = ({ connector: current, onDone }: Props) => {
  // Somebody else may change it while the form is open.
  const [connector] = useState(current)
  const { changed, client } = useWorkspace()
  const { data: connectors = [] } = useConnectors()
  const sourceFault = (source: string): string | false => {
    if (!SOURCE_NAME.test(source)) return "Small letters and digits, with single hyphens between."
    const isUsed = connector === null && connectors.some(({ source_name }) => source_name === source)
    return isUsed && "It has been used in this workspace."
  }
  const form = useForm({
    values: {
      name: connector?.name ?? "",
      source_name: connector?.source_name ?? "",
      accepted_kinds: connector?.accepted_kinds.join(", ") ?? ""
    },
    check: ({ name, source_name }) => ({
      name: name.trim() === "" && "Give the connector a name.",
      source_name: name.trim() !== "" && sourceFault(source_name)
    }),
    submit: async ({ accepted_kinds, name, source_name }) => {
      const fields = { name, accepted_kinds: listOf(accepted_kinds) }
      const saved = connector === null
        ? await client.connectors.create({ ...fields, source_name })
        : await client.connectors.update(connector.connector_id, differing(fields, connector))
      await changed("connectors")
      await onDone(saved)
    }
  })
  return (
    <Form form={form} action={connector === null ? "Create connector" : "Save"} failure="It was not saved">
      <form.AppField
        name="name"
        listeners={{
          onChange: ({ value }) => {
            const isOwn = connector !== null || form.getFieldMeta("source_name")?.isDirty
            if (!isOwn) form.setFieldValue("source_name", sourceNameOf(value), { dontUpdateMeta: true })
          }
        }}
      >
        {({ Text }) => <Text label="Name" maxLength={255} />}
      </form.AppField>
      <form.AppField name="source_name">
        {({ Text }) => (
          <Text
            label="Source name"
            hint={connector === null
              ? "Searches and citations show it as custom:NAME. It cannot be changed later, or used again."
              : "It never changes."}
            readOnly={connector !== null}
            maxLength={64}
            spellCheck={false}
          />
        )}
      </form.AppField>
      <form.AppField name="accepted_kinds">
        {({ Text }) => (
          <Text
            label="Accepted kinds"
            hint="Such as page, message, custom (texts and JSON); with commas between. Empty: every kind."
          />
        )}
      </form.AppField>
    </Form>
  )
}
