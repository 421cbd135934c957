import { useState } from "react"
import { errorMessage } from "./errorMessage.ts"
import { toast } from "./Toasts.tsx"

/** Work that a press starts: whether it is running, and how it failed. It never runs twice at once. */
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

/** Shows a failure as a toast, for actions without a place of their own for it. A button runs them once at a time. */
export const attempt = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    toast(errorMessage(error), true)
  }
}
