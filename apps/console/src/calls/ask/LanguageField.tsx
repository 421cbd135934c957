import { SelectField } from "../../ui/forms/SelectField.tsx"
import { LANGUAGES } from "./answerLanguage.ts"

const NAMES = LANGUAGES.map(({ english, own, tag }) =>
  [tag, own === english ? english : `${english} · ${own}`] as const
)

/** The empty value is the language of the question. */
export const LanguageField = (props: { readonly value: string; readonly onChange: (tag: string) => void }) => (
  <SelectField
    {...props}
    label="Answer language"
    hint="Needs a language model. Quotes stay as they are."
    options={[["", "As the question"], ...NAMES]}
  />
)
