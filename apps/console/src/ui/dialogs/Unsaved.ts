import { createContext, type RefObject } from "react"

/** Where the form in a dialog says whether closing the dialog would lose something; null outside of dialogs. */
export const Unsaved = createContext<RefObject<() => boolean> | null>(null)
