/** A form field for any part of a provider's schema. */
import type { ConfigDraft } from "./draft.ts"
import { draftOf, groupIn, listIn, textIn, variantIn } from "./draft.ts"
import { Field } from "../ui/forms/Field.tsx"
import type { Field as Described, Shape } from "./schemaFields.ts"

interface Props {
  readonly field: Described
  /** Its name, prefixed with the names of the fields that contain it. */
  readonly path: string
  readonly draft: ConfigDraft | undefined
  readonly faults: ReadonlyMap<string, string>
  /** Hint for a secret that is already stored. */
  readonly secretHint: string | undefined
  readonly onChange: (draft: ConfigDraft) => void
}

const Choices = ({ draft, field, onChange, options }: Props & { readonly options: ReadonlyArray<string> }) => {
  const chosen = new Set(listIn(draft))
  return (
    <fieldset>
      <legend className="legend">{field.label}</legend>
      {field.hint !== undefined && <p className="small soft">{field.hint}</p>}
      <div className="choices">
        {options.map((option) => (
          <label key={option} className="choice">
            <input
              type="checkbox"
              checked={chosen.has(option)}
              onChange={({ target: { checked } }) =>
                onChange(options.filter((other) => other === option ? checked : chosen.has(other)))}
            />
            <b>{option}</b>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const Switch = ({ draft, field, onChange }: Props) => (
  <label className="choice">
    <input type="checkbox" checked={draft === true} onChange={({ target: { checked } }) => onChange(checked)} />
    <b>{field.label}</b>
    {field.hint !== undefined && <span className="what">{field.hint}</span>}
  </label>
)

const Group = (
  { fields, ...props }: Omit<Props, "field"> & { readonly fields: ReadonlyArray<Described> }
) => (
  <>
    {fields.map((field) => (
      <ConfigField
        {...props}
        key={field.name}
        field={field}
        path={`${props.path}.${field.name}`}
        draft={groupIn(props.draft)[field.name]}
        onChange={(draft) => props.onChange({ ...groupIn(props.draft), [field.name]: draft })}
      />
    ))}
  </>
)

const Variants = ({ shape, ...props }: Props & { readonly shape: Shape & { readonly kind: "variants" } }) => {
  const { draft, field, onChange } = props
  const { index, of } = variantIn(draft)
  const variant = shape.variants[index]
  return (
    <fieldset className="form">
      <Field label={labelOf(field)} hint={field.hint}>
        {(control) => (
          <select
            {...control}
            value={index}
            onChange={({ target: { value } }) => {
              const next = shape.variants[Number(value)]
              onChange({ index: Number(value), of: next === undefined ? null : draftOf(next.shape, undefined) })
            }}
          >
            {shape.variants.map(({ label }, index) => <option key={index} value={index}>{label}</option>)}
          </select>
        )}
      </Field>
      {variant?.shape.kind === "group"
        ? <Group {...props} fields={variant.shape.fields} draft={of} onChange={(of) => onChange({ index, of })} />
        : variant !== undefined && (
          <ConfigField
            {...props}
            field={{ ...field, label: variant.label, hint: undefined, required: true, shape: variant.shape }}
            draft={of}
            onChange={(of) => onChange({ index, of })}
          />
        )}
    </fieldset>
  )
}

const labelOf = ({ label, required }: Described): string => required ? label : `${label} (optional)`

export const ConfigField = (props: Props) => {
  const { draft, faults, field, onChange, path, secretHint } = props
  const { hint, shape } = field
  switch (shape.kind) {
    case "fixed":
    case "nothing":
      return null
    case "switch":
      return <Switch {...props} />
    case "choices":
      return <Choices {...props} options={shape.options} />
    case "variants":
      return <Variants {...props} shape={shape} />
    case "group":
      return (
        <fieldset className="form">
          <legend className="legend">{labelOf(field)}</legend>
          {hint !== undefined && <p className="small soft">{hint}</p>}
          <Group {...props} fields={shape.fields} />
        </fieldset>
      )
  }
  const hints = [hint, shape.kind === "lines" ? "One in a line." : shape.kind === "secret" ? secretHint : undefined]
  return (
    <Field label={labelOf(field)} hint={hints.filter(Boolean).join(" ") || undefined} fault={faults.get(path) ?? null}>
      {(control) => {
        if (shape.kind === "lines") {
          return (
            <textarea
              {...control}
              rows={2}
              spellCheck={false}
              value={listIn(draft).join("\n")}
              onChange={({ target: { value } }) => onChange(value.split("\n"))}
            />
          )
        }
        if (shape.kind === "choice") {
          return (
            <select
              {...control}
              value={textIn(draft)}
              onChange={({ target: { value } }) => onChange(value)}
            >
              {(!field.required || textIn(draft) === "") && (
                <option value="">{field.required ? "Choose" : "Default"}</option>
              )}
              {shape.options.map((option) => <option key={option}>{option}</option>)}
            </select>
          )
        }
        const shared = {
          ...control,
          value: textIn(draft),
          spellCheck: false,
          onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) =>
            onChange(value)
        }
        switch (shape.kind) {
          case "json":
            return <textarea {...shared} className="input mono" rows={4} placeholder="JSON" />
          case "number":
            return <input {...shared} type="number" step="any" min={shape.minimum} max={shape.maximum} />
          case "secret":
            // A credential of the source, so a password manager should not fill in its own.
            return <input {...shared} type="password" autoComplete="new-password" />
          case "text":
            return <input {...shared} type={shape.input} autoComplete="off" />
        }
      }}
    </Field>
  )
}
