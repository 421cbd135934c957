import { useEffect, useState } from "react"

/** Debounces a value, so that a drag, or typing, does not send a request for each step. */
export const useSettled = <A>(value: A, milliseconds = 250): A => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
