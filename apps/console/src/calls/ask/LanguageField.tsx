import { Field } from "../../ui/forms/Field.tsx"
import { LANGUAGES } from "./answerLanguage.ts"

/** The empty value is the language of the question. */
export const LanguageField = (
  { onChange, value }: { readonly value: string; readonly onChange: (tag: string) => void }
) => (
  <Field label="Answer language" hint="Needs a language model. Quotes stay as they are.">
    {(control) => (
      <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">As the question</option>
        {LANGUAGES.map(({ english, own, tag }) => (
          <option key={tag} value={tag}>{own === english ? english : `${english} · ${own}`}</option>
        ))}
      </select>
    )}
  </Field>
)
