import type { ProviderDescription, SourceConnection } from "../api/models.ts"
import { useSelector } from "@tanstack/react-form"
import { useMemo, useState } from "react"
import { ApiError } from "../api/ApiError.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { BoundField } from "../timeline/BoundField.tsx"
import { differing } from "../ui/forms/differing.ts"
import { Form } from "../ui/forms/Form.tsx"
import { useForm } from "../ui/forms/useForm.ts"
import { NumberInput } from "../ui/forms/NumberInput.tsx"
import { ConfigField } from "./ConfigField.tsx"
import { type ConfigDraft, draftOf, groupIn, missing, valueOf } from "./draft.ts"
import { configShape, type Field as Described, fieldsOf } from "./schemaFields.ts"
import { proposedSync } from "./syncConfig.ts"

interface Props {
  readonly provider: ProviderDescription
  /** Null for a new one. */
  readonly connection: SourceConnection | null
  readonly onDone: (connection: SourceConnection) => unknown
}

/** Validation errors of the service by field. The message names the position in a list. */
const faultsOf = (error: unknown): ReadonlyMap<string, string> =>
  new Map(
    error instanceof ApiError
      ? error.problems.flatMap(({ loc: [, part, ...path], msg }) =>
        part === "config" ? [[path.filter((step) => typeof step === "string").join("."), msg] as const] : []
      )
      : []
  )

const KEPT = "Kept as it is while it is left empty. To change anything else above, fill it in again."

const isSecret = ({ shape }: Described): boolean => shape.kind === "secret"

export const ConnectionForm = ({ connection: current, onDone, provider }: Props) => {
  const { changed, client } = useWorkspace()
  // Somebody else may change it while the form is open.
  const [connection] = useState(current)
  const shape = useMemo(() => configShape(provider.config_schema), [provider])
  const saved = useMemo(() => draftOf(shape, connection?.config), [shape, connection])
  const configIn = (draft: ConfigDraft) => {
    const config = groupIn(valueOf(shape, draft))
    const isChanged = JSON.stringify(config) !== JSON.stringify(valueOf(shape, saved))
    // Stored secrets are kept only while the rest of the configuration is unchanged.
    const lacking = missing(shape, draft, (field) => connection !== null && !isChanged && isSecret(field))
    return { config, isChanged, lacking }
  }
  const form = useForm({
    values: {
      name: connection?.name ?? "",
      config: { draft: saved } as { readonly draft: unknown },
      sync: connection?.sync_config ?? proposedSync(provider)
    },
    check: ({ config, name }) => ({
      name: name.trim() === "" && "Give the connection a name.",
      config: configIn(config.draft as ConfigDraft).lacking.length > 0 && "Fill this in."
    }),
    submit: async ({ config: { draft }, name, sync }) => {
      const { config, isChanged } = configIn(draft as ConfigDraft)
      const done = connection === null
        ? await client.connections.create({ provider: provider.provider, name, config, sync_config: sync })
        : await client.connections.update(connection.connection_id, {
          ...differing({ name }, connection),
          sync_config: differing(sync, connection.sync_config),
          ...(isChanged ? { config } : {})
        })
      await changed("connections")
      await onDone(done)
    }
  })
  const isTrying = useSelector(
    form.store,
    ({ isSubmitting, values }) =>
      isSubmitting && (connection === null || configIn(values.config.draft as ConfigDraft).isChanged)
  )
  return (
    <Form
      form={form}
      action={connection === null ? "Connect" : "Save"}
      failure={connection === null ? "It is not connected" : "It was not saved"}
      beside={
        <span className="small soft" role="status">
          {isTrying && "Trying the source. This may take half a minute."}
        </span>
      }
    >
      <form.AppField name="name">
        {({ Text }) => (
          <Text label="Name" hint="What people call the source, such as “Support mailbox”." maxLength={255} />
        )}
      </form.AppField>
      <form.AppField name="config">
        {({ handleChange, state: { meta, value } }) => {
          const draft = value.draft as ConfigDraft
          const lacking = meta.errors.length === 0 ? [] : configIn(draft).lacking
          return fieldsOf(shape).map((field) => (
            <ConfigField
              key={field.name}
              field={field}
              path={field.name}
              draft={groupIn(draft)[field.name]}
              faults={new Map([...faultsOf(form.error), ...lacking.map((path) => [path, "Fill this in."] as const)])}
              secretHint={connection === null ? "Kept encrypted, and never shown again." : KEPT}
              onChange={(own) => handleChange({ draft: { ...groupIn(draft), [field.name]: own } })}
            />
          ))
        }}
      </form.AppField>
      <form.AppField name="sync">
        {({ handleChange, state: { value } }) => (
          <div className="columns">
            <BoundField
              side="start"
              legend="How far back it reaches"
              bound={value.start}
              onChange={(start) => handleChange({ ...value, start })}
            />
            <NumberInput
              label="Minutes between two syncs"
              hint="Some sources also report changes at once."
              minimum={1}
              maximum={43_200}
              value={value.interval_minutes}
              onChange={(interval_minutes) => handleChange({ ...value, interval_minutes })}
            />
          </div>
        )}
      </form.AppField>
    </Form>
  )
}
