import { useEffect, useState } from "react"
import { Field } from "./Field.tsx"

interface Props {
  readonly label: string
  readonly hint?: string
  readonly minimum: number
  readonly maximum: number
  readonly value: number
  readonly onChange: (value: number) => void
}

/**
 * A field for a whole number. It keeps what is typed, also while that is not a valid number, and reports only valid
 * ones. On blur it shows the last valid number.
 */
export const NumberInput = ({ hint, label, maximum, minimum, onChange, value }: Props) => {
  const [text, setText] = useState(String(value))
  useEffect(() => {
    setText((text) => Number(text) === value ? text : String(value))
  }, [value])
  const bounded = (number: number): number => Math.min(maximum, Math.max(minimum, Math.round(number)))
  const type = (text: string) => {
    setText(text)
    const number = Number(text)
    if (text.trim() !== "" && Number.isInteger(number) && number === bounded(number)) onChange(number)
  }
  const settle = () => {
    const number = Number(text)
    const settled = text.trim() === "" || Number.isNaN(number) ? value : bounded(number)
    setText(String(settled))
    if (settled !== value) onChange(settled)
  }
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <input
          {...control}
          type="number"
          inputMode="numeric"
          min={minimum}
          max={maximum}
          value={text}
          onChange={({ target }) => type(target.value)}
          onBlur={settle}
        />
      )}
    </Field>
  )
}
