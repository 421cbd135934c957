import { useEffect, useState } from "react"

/** The value once it has not changed for a while, so that each step of a drag does not ask the server. */
export const useSettled = <A>(value: A, milliseconds: number): A => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
