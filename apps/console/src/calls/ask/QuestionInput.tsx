import type { ComponentProps } from "react"

/** Enter asks; with Shift it begins a new line. */
export const QuestionInput = (props: ComponentProps<"textarea">) => (
  <textarea
    {...props}
    rows={2}
    maxLength={2_000}
    onKeyDown={(event) => {
      if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
      event.preventDefault()
      event.currentTarget.form?.requestSubmit()
    }}
  />
)
