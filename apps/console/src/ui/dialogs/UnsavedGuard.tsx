import { useBlocker } from "@tanstack/react-router"
import { Button } from "../Button.tsx"
import { Dialog } from "./Dialog.tsx"

/** The modes of a page have contents of their own. */
const modeOf = (search: object): unknown => Reflect.get(search, "mode")

/** Asks before leaving a page with unsaved changes, also when the tab is closed. Calls `changed` at that moment. */
export const UnsavedGuard = ({ changed }: { readonly changed: () => boolean }) => {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (current.pathname !== next.pathname || modeOf(current.search) !== modeOf(next.search)) && changed(),
    enableBeforeUnload: changed,
    withResolver: true
  })
  if (status !== "blocked") return null
  return (
    <Dialog title="Leave without saving?" onClose={reset}>
      <p>What you changed on this page is not saved.</p>
      <div className="dialog-end">
        <Button onClick={reset}>Stay</Button>
        <Button kind="danger" onClick={proceed}>Leave</Button>
      </div>
    </Dialog>
  )
}
