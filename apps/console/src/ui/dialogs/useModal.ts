import { type RefObject, useEffect, useRef } from "react"

/** Opens the platform's own dialog: it holds the focus, hides the rest of the page from everyone, and gives the focus back. */
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
