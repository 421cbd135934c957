import { type RefObject, useEffect, useRef, useState } from "react"

/** Whether an element has been in or near the viewport, so that rows far down a list send no requests yet. */
export const useSeen = <Element extends HTMLElement>(): readonly [RefObject<Element | null>, boolean] => {
  const element = useRef<Element>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (element.current === null) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setSeen(true)
      observer.disconnect()
    }, { rootMargin: "300px" })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, seen]
}
