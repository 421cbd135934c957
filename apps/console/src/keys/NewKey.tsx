import type { Scope } from "@tributary/core/model/Scope"
import { type FormEvent, useState } from "react"
import { consoleApi, type IssuedKey } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Field } from "../ui/forms/Field.tsx"
import { NameField } from "../ui/forms/NameField.tsx"
import { PRESETS, SCOPES } from "./scopes.ts"
import { useWork } from "../ui/feedback/useWork.ts"
import { DAY } from "../ui/time/day.ts"

const LIVES: ReadonlyArray<readonly [string, number | null]> = [
  ["Never", null],
  ["In 30 days", 30],
  ["In 90 days", 90],
  ["In a year", 365]
]

interface Props {
  readonly name?: string
  readonly scopes?: ReadonlyArray<Scope>
  readonly action?: string
  readonly onMade: (key: IssuedKey) => void
}

/** The form that makes a key. What it starts with may come from another key. */
export const NewKey = ({ action = "Create key", name: given = "", onMade, scopes = ["knowledge:read"] }: Props) => {
  const { workspace } = useWorkspace()
  const [name, setName] = useState(given)
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(scopes))
  const [life, setLife] = useState<number | null>(null)
  const [missing, setMissing] = useState(false)
  const { busy, error, run } = useWork()

  const isChosen = (scopes: ReadonlyArray<Scope>) =>
    scopes.length === chosen.size && scopes.every((scope) => chosen.has(scope))

  const toggle = (scope: Scope) => {
    const next = new Set(chosen)
    if (!next.delete(scope)) next.add(scope)
    setChosen(next)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(true)
    if (name.trim() === "" || chosen.size === 0) return
    const expires_at = life === null ? null : new Date(Date.now() + life * DAY).toISOString()
    void run(async () => {
      const key = await consoleApi.createKey(workspace.workspace_id, { name, scopes: [...chosen], expires_at })
      void queries.invalidateQueries({ queryKey: [workspace.workspace_id, "keys"] })
      onMade(key)
    })
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <NameField
        hint="What uses it, such as “website” or “nightly import”."
        fault={missing && name.trim() === "" ? "Give the key a name." : null}
        value={name}
        onChange={setName}
      />
      <fieldset>
        <legend className="legend">What it may do</legend>
        <div className="choices">
          {PRESETS.map((preset) => (
            <label key={preset.name} className="choice">
              <input
                type="radio"
                name="preset"
                checked={isChosen(preset.scopes)}
                onChange={() => setChosen(new Set(preset.scopes))}
              />
              <b>{preset.name}</b>
              <span className="what">{preset.what}</span>
            </label>
          ))}
        </div>
        {missing && chosen.size === 0 && (
          <p className="field" role="alert">
            <span className="fault">Choose at least one scope.</span>
          </p>
        )}
        <details className="stack">
          <summary>Choose scopes one by one ({chosen.size})</summary>
          <div className="choices">
            {SCOPES.map(([scope, what]) => (
              <label key={scope} className="choice">
                <input type="checkbox" checked={chosen.has(scope)} onChange={() => toggle(scope)} />
                <b className="mono">{scope}</b>
                <span className="what">{what}</span>
              </label>
            ))}
          </div>
        </details>
      </fieldset>
      <Field label="Expires">
        {(control) => (
          <select
            {...control}
            value={life ?? ""}
            onChange={(event) => setLife(event.target.value === "" ? null : Number(event.target.value))}
          >
            {LIVES.map(([label, days]) => <option key={label} value={days ?? ""}>{label}</option>)}
          </select>
        )}
      </Field>
      {error !== null && <Failure error={error} what="No key was made" />}
      <div className="dialog-end">
        <Button type="submit" kind="primary" busy={busy}>{action}</Button>
      </div>
    </form>
  )
}
