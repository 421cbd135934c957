import { useEffect, useState } from "react"

/** The list around an element and its place in it. */
const placeOf = (element: Element | null) => {
  const item = element?.closest("li")
  const list = item?.parentElement
  return item && list ? { list, index: Array.from(list.children).indexOf(item) } : null
}

/**
 * What opened a dialog may be gone when it closes, such as a deleted row. The focus then goes to the row that took its
 * place, or else to the heading of the page.
 */
export const useFocusAfter = (): void => {
  const [place] = useState(() => placeOf(document.activeElement))
  useEffect(() => () => {
    const restore = () => {
      if (document.activeElement !== document.body) return
      const row = place?.list.isConnected === true
        ? place.list.children[place.index] ?? place.list.lastElementChild
        : null
      const next = row?.querySelector<HTMLElement>("a, button") ?? document.querySelector<HTMLElement>("h1")
      next?.focus({ preventScroll: true })
    }
    // The element that had the focus before gets it back in the next frame, if it is still there.
    requestAnimationFrame(() => requestAnimationFrame(restore))
  }, [place])
}
