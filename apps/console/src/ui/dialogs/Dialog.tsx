import { type ReactNode, useId, useRef, useState } from "react"
import { Button } from "../Button.tsx"
import { Icon } from "../Icon.tsx"
import { useModal } from "./useModal.ts"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** False keeps the dialog open on Escape, because closing would lose input. */
  readonly closable?: boolean
}

/** With something filled in, Escape and Close ask before they discard it. */
export const Dialog = ({ children, closable = true, onClose, title }: Props) => {
  const dialog = useModal()
  const edited = useRef(false)
  const [asking, setAsking] = useState(false)
  const id = useId()
  const close = () => {
    if (!closable) return
    if (edited.current && !asking && dialog.current?.querySelector("form") !== null) setAsking(true)
    else onClose()
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onInput={() => {
        edited.current = true
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (asking) setAsking(false)
        else close()
      }}
    >
      <div className="dialog">
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          {closable && (
            <Button kind="quiet" className="square" aria-label="Close" onClick={close}>
              <Icon name="close" />
            </Button>
          )}
        </div>
        {asking && (
          <div className="note warn" role="alert">
            <strong>Discard what you have filled in?</strong>
            <div className="buttons">
              <Button small autoFocus onClick={() => setAsking(false)}>Keep editing</Button>
              <Button small kind="danger" onClick={onClose}>Discard</Button>
            </div>
          </div>
        )}
        {children}
      </div>
    </dialog>
  )
}
