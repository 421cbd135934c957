import { type ReactNode, useRef } from "react"
import { Overlay } from "react-aria/Overlay"
import { useDialog } from "react-aria/useDialog"
import { useModalOverlay } from "react-aria/useModalOverlay"
import { useOverlayTriggerState } from "react-stately/useOverlayTriggerState"
import { useFocusAfter } from "./useFocusAfter.ts"

interface ModalProps {
  readonly "aria-label"?: string
  readonly "aria-labelledby"?: string
  readonly className?: string
  /** Whether a press beside it closes it. */
  readonly dismissable?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

const Opened = ({ children, className = "", dismissable = false, onClose, ...label }: ModalProps) => {
  const box = useRef<HTMLDivElement>(null)
  useFocusAfter()
  const state = useOverlayTriggerState({ isOpen: true, onOpenChange: onClose })
  const { modalProps, underlayProps } = useModalOverlay({ isDismissable: dismissable }, state, box)
  const { dialogProps } = useDialog(label, box)
  return (
    <div {...underlayProps} className="underlay">
      <div {...modalProps} {...dialogProps} ref={box} className={`modal ${className}`}>{children}</div>
    </div>
  )
}

/**
 * Holds the focus and gives it back, and makes the rest of the page inert. Not a `dialog` element: Chromium closes one at
 * the third Escape in a row without asking the page, and what is filled in is lost.
 */
export const Modal = (props: ModalProps) => (
  <Overlay>
    <Opened {...props} />
  </Overlay>
)
