import { type RefObject, useEffect, useRef } from "react"

/**
 * Opens a native modal dialog: the browser traps the focus, makes the rest of the page inert, and restores the focus.
 */
export const useModal = (): RefObject<HTMLDialogElement | null> => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opened = dialog.current
    const before = document.activeElement
    if (opened?.open === false) opened.showModal()
    return () => {
      opened?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return dialog
}
