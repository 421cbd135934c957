/** The fields of forms. Whatever else a control takes is passed on to it. */
import { createFormHookContexts } from "@tanstack/react-form"
import { type ComponentProps, createContext, type ReactNode, useContext } from "react"
import { ApiError } from "../../api/ApiError.ts"
import { Field } from "./Field.tsx"

export const { fieldContext, formContext, useFieldContext } = createFormHookContexts()

/** How the last attempt to submit failed; null if it did not. */
export const SubmitError = createContext<unknown>(null)

/** The field, and what is wrong with it: here, or as the server says. */
const useOwnField = <Value extends string | ReadonlyArray<string>>() => {
  const field = useFieldContext<Value>()
  const error = useContext(SubmitError)
  const problems = error instanceof ApiError ? error.problems : []
  const refused = problems.find(({ loc: [part, name] }) => part === "body" && name === field.name)
  const [fault = refused?.msg ?? null] = field.state.meta.errors as ReadonlyArray<string | undefined>
  return { field, fault }
}

interface Changed {
  readonly target: { readonly value: string }
}

interface Labelled {
  readonly label: string
  readonly hint?: string | undefined
}

type OfField = Parameters<ComponentProps<typeof Field>["children"]>[0]

interface ControlProps extends Labelled {
  readonly children: (
    control: OfField & { readonly value: string; readonly onChange: (event: Changed) => void }
  ) => ReactNode
}

const Control = ({ children, hint, label }: ControlProps) => {
  const { fault, field } = useOwnField<string>()
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(control) =>
        children({
          ...control,
          value: field.state.value,
          onChange: ({ target }) => field.handleChange(target.value)
        })}
    </Field>
  )
}

export const Text = ({ hint, label, ...input }: Labelled & ComponentProps<"input">) => (
  <Control label={label} hint={hint}>{(control) => <input autoComplete="off" {...input} {...control} />}</Control>
)

export const LongText = ({ hint, label, rows }: Labelled & { readonly rows: number }) => (
  <Control label={label} hint={hint}>{(control) => <textarea rows={rows} {...control} />}</Control>
)

/** Values with their labels. */
type Options = ReadonlyArray<readonly [string, string]>

export const Select = ({ hint, label, options }: Labelled & { readonly options: Options }) => (
  <Control label={label} hint={hint}>
    {(control) => (
      <select {...control}>
        {options.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
      </select>
    )}
  </Control>
)

/** Any number of options, which are kept in their order. */
export const Choices = ({ options }: { readonly options: Options }) => {
  const { fault, field } = useOwnField<ReadonlyArray<string>>()
  const chosen = new Set(field.state.value)
  const toggle = (value: string) =>
    field.handleChange(options.map(([each]) => each).filter((each) => chosen.has(each) !== (each === value)))
  return (
    <>
      <div className="choices">
        {options.map(([value, what]) => (
          <label key={value} className="choice">
            <input type="checkbox" checked={chosen.has(value)} onChange={() => toggle(value)} />
            <b className="mono">{value}</b>
            <span className="what">{what}</span>
          </label>
        ))}
      </div>
      {fault !== null && (
        <p className="field" role="alert">
          <span className="fault">{fault}</span>
        </p>
      )}
    </>
  )
}
