import type { ButtonHTMLAttributes } from "react"

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: undefined | "primary" | "danger" | "quiet" | "quiet bad"
  readonly small?: boolean
  /** While the action runs, the button keeps the focus and ignores presses. */
  readonly busy?: boolean
}

export const Button = (
  { busy = false, className = "", kind, onClick, small = false, type = "button", ...rest }: Props
) => (
  <button
    {...rest}
    type={type}
    aria-disabled={busy || rest["aria-disabled"]}
    aria-busy={busy || undefined}
    className={["button", kind, small ? "small" : "", className].filter(Boolean).join(" ")}
    onClick={(event) => {
      if (busy) event.preventDefault()
      else onClick?.(event)
    }}
  />
)
