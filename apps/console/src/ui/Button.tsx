import { type ButtonHTMLAttributes, type MouseEvent, useState } from "react"

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> {
  readonly kind?: undefined | "primary" | "danger" | "quiet" | "quiet bad"
  readonly small?: boolean
  /** While the action runs, the button keeps the focus and ignores presses. */
  readonly busy?: boolean
  /** It is busy until a promise is settled. */
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => unknown
}

export const Button = (
  { busy = false, className = "", kind, onClick, small = false, type = "button", ...rest }: Props
) => {
  const [isRunning, setRunning] = useState(false)
  const isBusy = busy || isRunning
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || rest["aria-disabled"]}
      aria-busy={isBusy || undefined}
      className={["button", kind, small ? "small" : "", className].filter(Boolean).join(" ")}
      onClick={(event) => {
        if (isBusy) return event.preventDefault()
        const action = onClick?.(event)
        if (!(action instanceof Promise)) return
        setRunning(true)
        void action.finally(() => setRunning(false))
      }}
    />
  )
}
