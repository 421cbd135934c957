import { type ComponentType, useEffect, useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import type { PaletteProps } from "./Palette.tsx"

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the command palette, also by Ctrl or Command and K. The palette is loaded on first use. */
export const PaletteButton = ({ onOpen }: { readonly onOpen: () => void }) => {
  const [open, setOpen] = useState(false)
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null)
  const show = () => {
    onOpen()
    setOpen(true)
    if (Palette !== null) return
    import("./Palette.tsx").then(
      (loaded) => setPalette(() => loaded.Palette),
      () => {
        setOpen(false)
        toast("The search could not be loaded. Try again once the server answers.", true)
      }
    )
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      // Not above an open dialog, which may hold unsaved input.
      if (document.querySelector("[role=dialog]") === null) show()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  })
  return (
    <>
      <button
        type="button"
        className="button palette-button"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={show}
      >
        <Icon name="search" />
        <span>Find anything</span>
        <kbd aria-hidden="true">{IS_APPLE ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      {open && Palette !== null && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
