import { type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Failure } from "./Failure.tsx"

interface Props {
  readonly title: string
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks before something that cannot be taken back. */
export const Confirm = ({ action, children, onClose, onConfirm, title }: Props) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const confirm = () => {
    setBusy(true)
    setError(null)
    onConfirm().then(onClose, (error: unknown) => {
      setError(error)
      setBusy(false)
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">{children}</div>
      {error !== null && <Failure error={error} />}
      <div className="dialog-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={busy} onClick={confirm}>{action}</Button>
      </div>
    </Dialog>
  )
}
