import type { ProviderDescription, SourceConnection, SyncConfig } from "../api/models.ts"
import { type FormEvent, useMemo, useRef, useState } from "react"
import { ApiError } from "../api/ApiError.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { BoundField } from "../timeline/BoundField.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { NameField } from "../ui/forms/NameField.tsx"
import { NumberInput } from "../ui/forms/NumberInput.tsx"
import { UnsavedGuard } from "../ui/dialogs/UnsavedGuard.tsx"
import { useWork } from "../ui/feedback/useWork.ts"
import { ConfigField } from "./ConfigField.tsx"
import { draftOf, groupIn, missing, valueOf } from "./draft.ts"
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

export const ConnectionForm = ({ connection, onDone, provider }: Props) => {
  const { client, workspace } = useWorkspace()
  const shape = useMemo(() => configShape(provider.config_schema), [provider])
  const [saved] = useState(() => draftOf(shape, connection?.config))
  const [name, setName] = useState(connection?.name ?? "")
  const [draft, setDraft] = useState(saved)
  const [sync, setSync] = useState<SyncConfig>(connection?.sync_config ?? proposedSync(provider))
  const [tried, setTried] = useState(false)
  const { busy, error, run } = useWork()
  const edited = useRef(false)

  const config = groupIn(valueOf(shape, draft))
  const isChanged = JSON.stringify(config) !== JSON.stringify(valueOf(shape, saved))
  // Stored secrets are kept only while the rest of the configuration is unchanged.
  const lacking = missing(shape, draft, (field) => connection !== null && !isChanged && isSecret(field))
  const faults = new Map([
    ...faultsOf(error),
    ...(tried ? lacking.map((path) => [path, "Fill this in."] as const) : [])
  ])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === "" || lacking.length > 0) return
    void run(async () => {
      const done = connection === null
        ? await client.connections.create({ provider: provider.provider, name, config, sync_config: sync })
        : await client.connections.update(connection.connection_id, {
          name,
          sync_config: sync,
          ...(isChanged ? { config } : {})
        })
      await queries.invalidateQueries({ queryKey: [workspace.workspace_id, "connections"] })
      edited.current = false
      await onDone(done)
    })
  }

  return (
    <form
      className="form"
      onSubmit={submit}
      onInput={() => {
        edited.current = true
      }}
      noValidate
    >
      {connection === null && <UnsavedGuard changed={() => edited.current} />}
      <NameField
        hint="What people call the source, such as “Support mailbox”."
        fault={tried && name.trim() === "" ? "Give the connection a name." : null}
        value={name}
        onChange={setName}
      />
      {fieldsOf(shape).map((field) => (
        <ConfigField
          key={field.name}
          field={field}
          path={field.name}
          draft={groupIn(draft)[field.name]}
          faults={faults}
          secretHint={connection === null ? "Kept encrypted, and never shown again." : KEPT}
          onChange={(own) => setDraft({ ...groupIn(draft), [field.name]: own })}
        />
      ))}
      <div className="columns">
        <BoundField
          side="start"
          legend="How far back it reaches"
          bound={sync.start}
          onChange={(start) => setSync({ ...sync, start })}
        />
        <NumberInput
          label="Minutes between two syncs"
          hint="Some sources also report changes at once."
          minimum={1}
          maximum={43_200}
          value={sync.interval_minutes}
          onChange={(interval_minutes) => setSync({ ...sync, interval_minutes })}
        />
      </div>
      {error !== null && (
        <Failure error={error} what={connection === null ? "It is not connected" : "It was not saved"} />
      )}
      <div className="dialog-end">
        <span className="small soft" role="status">
          {busy && (connection === null || isChanged) && "Trying the source. This may take half a minute."}
        </span>
        <Button type="submit" kind="primary" busy={busy}>{connection === null ? "Connect" : "Save"}</Button>
      </div>
    </form>
  )
}
