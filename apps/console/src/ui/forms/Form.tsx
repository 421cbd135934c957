import { useSelector } from "@tanstack/react-form"
import { type ReactNode, useContext, useEffect, useRef } from "react"
import { Button } from "../Button.tsx"
import { Unsaved } from "../dialogs/Unsaved.ts"
import { UnsavedGuard } from "../dialogs/UnsavedGuard.tsx"
import { Failure } from "../feedback/Failure.tsx"
import { SubmitError } from "./fields.tsx"
import type { useForm } from "./useForm.ts"

interface Props<Values extends object> {
  readonly form: ReturnType<typeof useForm<Values>>
  /** The label of the button. */
  readonly action: string
  readonly danger?: boolean
  /** What a failure means. */
  readonly failure?: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** Enter in a field submits a form whose end may be out of sight. */
const scrollIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" })

/**
 * Asks before what is filled in is lost: the dialog around it does, or the page. The first field has the focus in a
 * dialog that opens.
 */
export const Form = <Values extends object>(
  { action, beside, children, danger = false, failure, form }: Props<Values>
) => {
  const isSubmitting = useSelector(form.store, (state) => state.isSubmitting)
  const dialog = useContext(Unsaved)
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (dialog !== null) element.current?.querySelector<HTMLElement>("input, select, textarea")?.focus()
  }, [dialog])
  useEffect(() => {
    if (dialog === null) return
    dialog.current = () => !form.state.isDefaultValue
    return () => {
      dialog.current = () => false
    }
  }, [dialog, form])
  return (
    <SubmitError value={form.error}>
      <form
        ref={element}
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const { currentTarget } = event
          void form.handleSubmit().then(() => currentTarget.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())
        }}
      >
        {/* What is being saved may lead to another page. */}
        {dialog === null && <UnsavedGuard changed={() => !form.state.isDefaultValue && !form.state.isSubmitting} />}
        {children}
        {form.error !== null && (
          <div ref={scrollIntoView}>
            <Failure error={form.error} {...failure === undefined ? {} : { what: failure }} />
          </div>
        )}
        <div className="dialog-end">
          {beside}
          <Button type="submit" kind={danger ? "danger" : "primary"} busy={isSubmitting}>{action}</Button>
        </div>
      </form>
    </SubmitError>
  )
}
