import { useBlocker } from "@tanstack/react-router"
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react"
import { Button } from "../Button.tsx"
import { page } from "../../shell/page.ts"
import { Icon } from "../Icon.tsx"
import { Unsaved } from "./Unsaved.ts"

/** Loaded with the first dialog, or while the browser is idle. */
const Modal = page(() => import("./Modal.tsx"), "Modal")

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** False for what is shown this once: Escape keeps it open, and leaving the page asks. */
  readonly closable?: boolean
}

interface QuestionProps {
  readonly closable: boolean
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** Takes the focus, and returns it to the element that had it. */
const DiscardQuestion = ({ closable, onDiscard, onKeep }: QuestionProps) => {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => {
    const isLost = document.activeElement === document.body
    if (isLost && before instanceof HTMLElement) before.focus()
  }, [before])
  return (
    <div className="note warn" role="alert">
      <strong>{closable ? "Discard what you have filled in?" : "Leave? This is not shown again."}</strong>
      <div className="buttons">
        <Button small autoFocus onClick={onKeep}>{closable ? "Keep editing" : "Stay"}</Button>
        <Button small kind="danger" onClick={onDiscard}>{closable ? "Discard" : "Leave"}</Button>
      </div>
    </div>
  )
}

/** With something filled in, Escape, Close and the browser's Back ask before they discard it. */
export const Dialog = ({ children, closable = true, onClose, title }: Props) => {
  const unsaved = useRef(() => false)
  const [closing, setClosing] = useState(false)
  const id = useId()
  const isEdited = () => !closable || unsaved.current()
  const { proceed, reset, status } = useBlocker({
    // Links of the page are out of reach, and a saved form may lead to another page.
    shouldBlockFn: ({ action }) => action !== "PUSH" && action !== "REPLACE" && isEdited(),
    enableBeforeUnload: isEdited,
    withResolver: true
  })
  const asking = closing || status === "blocked"
  const keep = () => {
    setClosing(false)
    reset?.()
  }
  const discard = () => {
    proceed?.()
    onClose()
  }
  const close = () => {
    if (!closable) return
    if (isEdited() && !asking) setClosing(true)
    else discard()
  }
  return (
    // The page stays in sight and keeps the focus meanwhile.
    <Suspense fallback={null}>
      <Modal aria-labelledby={id} onClose={asking ? keep : close}>
        <div className="dialog">
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            {closable && (
              <Button kind="quiet" className="square" aria-label="Close" onClick={close}>
                <Icon name="close" />
              </Button>
            )}
          </div>
          {asking && <DiscardQuestion closable={closable} onKeep={keep} onDiscard={discard} />}
          <Unsaved value={unsaved}>{children}</Unsaved>
        </div>
      </Modal>
    </Suspense>
  )
}
