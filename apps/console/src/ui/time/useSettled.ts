import { useEffect, useState } from "react"

/** Debounces a value, so that a drag does not send a request for each step. */
export const useSettled = <A>(value: A, milliseconds: number): A => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
