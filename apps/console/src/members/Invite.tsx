import type { Role } from "@tributary/core/model/Person"
import { type FormEvent, useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Field } from "../ui/forms/Field.tsx"
import { LinkToPassOn } from "./LinkToPassOn.tsx"
import { useWork } from "../ui/feedback/useWork.ts"

export const Invite = ({ onClose }: { readonly onClose: () => void }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<Role>("member")
  const { busy, error, run } = useWork()
  const [done, setDone] = useState<{ readonly link: string | null } | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const { link } = await consoleApi.invite(workspace_id, email, role)
      await queries.invalidateQueries({ queryKey: [workspace_id] })
      setDone({ link: link?.url ?? null })
    })
  }
  return (
    <Dialog title="Invite someone" onClose={onClose}>
      {done === null
        ? (
          <form className="form" onSubmit={submit}>
            <Field label="E-mail">
              {(control) => (
                <input
                  {...control}
                  type="email"
                  required
                  value={email}
                  onChange={(event) => setEmail(event.target.value)}
                  autoComplete="off"
                />
              )}
            </Field>
            <Field label="Role" hint="A member may do everything but keys, plan, members, and deleting the workspace.">
              {(control) => (
                <select {...control} value={role} onChange={(event) => setRole(event.target.value as Role)}>
                  <option value="member">Member</option>
                  <option value="owner">Owner</option>
                </select>
              )}
            </Field>
            {error !== null && <Failure error={error} what="Nobody was invited" />}
            <div className="dialog-end">
              <Button type="submit" kind="primary" busy={busy}>Invite</Button>
            </div>
          </form>
        )
        : (
          <>
            {done.link === null
              ? (
                <p className="note good" role="status">
                  {email} is a user of the account who has proven this e-mail, and has joined.
                </p>
              )
              : <LinkToPassOn url={done.link} />}
            <div className="dialog-end">
              <Button kind="primary" onClick={onClose}>Done</Button>
            </div>
          </>
        )}
    </Dialog>
  )
}
