import { type ReactNode, useEffect, useId, useRef } from "react"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** False keeps it open against Escape, where closing loses something. */
  readonly closable?: boolean
}

/** The platform's own dialog: it holds the focus, hides the rest of the page from everyone, and gives the focus back. */
export const Dialog = ({ children, closable = true, onClose, title }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opened = dialog.current
    const before = document.activeElement
    if (opened?.open === false) opened.showModal()
    return () => {
      opened?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (closable) onClose()
      }}
    >
      <div className="dialog">
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          {closable && (
            <Button kind="quiet" className="square" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </Button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}
