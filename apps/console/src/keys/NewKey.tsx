import type { Scope } from "@tributary/core/model/Scope"
import { consoleApi, type IssuedKey } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Form } from "../ui/forms/Form.tsx"
import { useForm } from "../ui/forms/useForm.ts"
import { PRESETS, SCOPES } from "./scopes.ts"
import { DAY } from "../ui/time/day.ts"

/** In days. */
const LIVES = [["", "Never"], ["30", "In 30 days"], ["90", "In 90 days"], ["365", "In a year"]] as const

interface Props {
  readonly name?: string
  readonly scopes?: ReadonlyArray<Scope>
  readonly action?: string
  readonly onMade: (key: IssuedKey) => void
}

const isSame = (left: ReadonlyArray<Scope>, right: ReadonlyArray<Scope>): boolean =>
  left.length === right.length && left.every((scope) => right.includes(scope))

/** The form that makes a key. What it starts with may come from another key. */
export const NewKey = ({ action = "Create key", name = "", onMade, scopes = ["knowledge:read"] }: Props) => {
  const { changed, workspace } = useWorkspace()
  const form = useForm({
    values: { name, scopes, days: "" },
    check: ({ name, scopes }) => ({
      name: name.trim() === "" && "Give the key a name.",
      scopes: scopes.length === 0 && "Choose at least one scope."
    }),
    submit: async ({ days, name, scopes }) => {
      const expires_at = days === "" ? null : new Date(Date.now() + Number(days) * DAY).toISOString()
      const key = await consoleApi.createKey(workspace.workspace_id, { name, scopes, expires_at })
      void changed("keys")
      onMade(key)
    }
  })
  return (
    <Form form={form} action={action} failure="No key was made">
      <form.AppField name="name">
        {({ Text }) => (
          <Text
            label="Name"
            hint="What uses it, such as “website” or “nightly import”."
            maxLength={255}
          />
        )}
      </form.AppField>
      <form.AppField name="scopes">
        {({ Choices, handleChange, state: { value } }) => (
          <fieldset>
            <legend className="legend">What it may do</legend>
            <div className="choices">
              {PRESETS.map(({ name, scopes, what }) => (
                <label key={name} className="choice">
                  <input
                    type="radio"
                    name="preset"
                    checked={isSame(scopes, value)}
                    onChange={() => handleChange(scopes)}
                  />
                  <b>{name}</b>
                  <span className="what">{what}</span>
                </label>
              ))}
            </div>
            <details className="stack">
              <summary>Choose scopes one by one ({value.length})</summary>
              <Choices options={SCOPES} />
            </details>
          </fieldset>
        )}
      </form.AppField>
      <form.AppField name="days">{({ Select }) => <Select label="Expires" options={LIVES} />}</form.AppField>
    </Form>
  )
}
