import type { ReactNode } from "react"
import { Button } from "../Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Failure } from "../feedback/Failure.tsx"
import { useWork } from "../feedback/useWork.ts"

interface Props {
  readonly title: string
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks before an action that cannot be undone. */
export const Confirm = ({ action, children, onClose, onConfirm, title }: Props) => {
  const { busy, error, run } = useWork()
  const confirm = () =>
    run(async () => {
      await onConfirm()
      onClose()
    })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">{children}</div>
      {error !== null && <Failure error={error} />}
      <div className="dialog-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={busy} onClick={() => void confirm()}>{action}</Button>
      </div>
    </Dialog>
  )
}
