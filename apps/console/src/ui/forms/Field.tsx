import { type ReactNode, useId } from "react"

interface Props {
  readonly label: string
  readonly hint?: string | undefined
  readonly fault?: string | null | undefined
  readonly hideLabel?: boolean
  /** Receives the attributes that tie the control to its label, hint and error. */
  readonly children: (control: {
    readonly id: string
    readonly className: "input"
    readonly "aria-describedby": string | undefined
    readonly "aria-invalid": boolean
  }) => ReactNode
}

export const Field = ({ children, fault = null, hideLabel = false, hint, label }: Props) => {
  const id = useId()
  const described = [hint === undefined ? "" : `${id}-hint`, fault === null ? "" : `${id}-fault`].filter(Boolean)
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? "hidden-text" : undefined}>{label}</label>
      {children({
        id,
        className: "input",
        "aria-describedby": described.join(" ") || undefined,
        "aria-invalid": fault !== null
      })}
      {hint !== undefined && <span id={`${id}-hint`} className="hint">{hint}</span>}
      {fault !== null && <span id={`${id}-fault`} className="fault" role="alert">{fault}</span>}
    </div>
  )
}
