import { useRef } from "react"
import { useNumberField } from "react-aria/useNumberField"
import { useNumberFieldState } from "react-stately/useNumberFieldState"

const formatOptions: Intl.NumberFormatOptions = { maximumFractionDigits: 0, useGrouping: false }

interface Props {
  readonly label: string
  readonly hint?: string
  readonly minimum: number
  readonly maximum: number
  readonly value: number
  readonly onChange: (value: number) => void
}

/** A field for a whole number, reported on blur and by Enter. An empty field returns to the number before. */
export const NumberInput = ({ hint, label, maximum, minimum, onChange, value }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const props = {
    label,
    description: hint,
    minValue: minimum,
    maxValue: maximum,
    value,
    onChange: (number: number) => {
      if (!Number.isNaN(number)) onChange(number)
    },
    formatOptions
  }
  const { descriptionProps, inputProps, labelProps } = useNumberField(
    props,
    useNumberFieldState({ ...props, locale: "en" }),
    input
  )
  return (
    <div className="field">
      <label {...labelProps}>{label}</label>
      <input {...inputProps} ref={input} className="input" />
      {hint !== undefined && <span {...descriptionProps} className="hint">{hint}</span>}
    </div>
  )
}
