import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { NewWorkspace } from "./WorkspaceForms.tsx"

const SHARED = "shared workspace"

/** Creates shared workspaces within the plan's allowance. Renders nothing for people who may not create any. */
export const SharedWorkspaces = () => {
  const [open, setOpen] = useState(false)
  const { data: allowance } = useQuery({ queryKey: ["workspaces", "allowance"], queryFn: consoleApi.sharedAllowance })
  if (allowance === null) return null
  const { limit, used } = allowance ?? { limit: null, used: 0 }
  const usedUp = limit !== null && used >= limit
  return (
    <>
      {allowance !== undefined && (
        <span className="small soft numeric">
          {limit === null ? amount(used, SHARED) : `${counted(used)} of ${amount(limit, SHARED)}`}
          {usedUp && ", all that the plan allows"}
        </span>
      )}
      <Button disabled={usedUp} onClick={() => setOpen(true)}>New shared workspace</Button>
      {open && (
        <Dialog title="New shared workspace" onClose={() => setOpen(false)}>
          <NewWorkspace onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}
