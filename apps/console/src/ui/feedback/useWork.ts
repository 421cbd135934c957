import { useState } from "react"
import { errorMessage } from "./errorMessage.ts"
import { toast } from "./Toasts.tsx"

/** Something that a press begins: whether it is under way, and how it failed. It is not begun twice. */
export const useWork = () => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (error) {
      setError(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run }
}

/** For what has no place of its own to tell of a failure. */
export const attempt = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    toast(errorMessage(error), true)
  }
}
