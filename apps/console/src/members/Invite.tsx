import type { Role } from "@tributary/core/model/Person"
import { useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Form } from "../ui/forms/Form.tsx"
import { useForm } from "../ui/forms/useForm.ts"
import { LinkToPassOn } from "./LinkToPassOn.tsx"

interface Invited {
  readonly email: string
  readonly link: string | null
}

const InviteForm = ({ onDone }: { readonly onDone: (invited: Invited) => void }) => {
  const { changed, workspace: { workspace_id } } = useWorkspace()
  const form = useForm({
    values: { email: "", role: "member" },
    check: ({ email }) => ({ email: !/\S@\S/.test(email) && "Give an e-mail address." }),
    submit: async ({ email, role }) => {
      const { link } = await consoleApi.invite(workspace_id, email, role as Role)
      await changed()
      onDone({ email, link: link?.url ?? null })
    }
  })
  return (
    <Form form={form} action="Invite" failure="Nobody was invited">
      <form.AppField name="email">{({ Text }) => <Text label="E-mail" type="email" />}</form.AppField>
      <form.AppField name="role">
        {({ Select }) => (
          <Select
            label="Role"
            hint="A member may do everything but keys, plan, members, and deleting the workspace."
            options={[["member", "Member"], ["owner", "Owner"]]}
          />
        )}
      </form.AppField>
    </Form>
  )
}

export const Invite = ({ onClose }: { readonly onClose: () => void }) => {
  const [done, setDone] = useState<Invited | null>(null)
  return (
    <Dialog title="Invite someone" onClose={onClose}>
      {done === null ? <InviteForm onDone={setDone} /> : (
        <>
          {done.link === null
            ? (
              <p className="note good" role="status">
                {done.email} is a user of the account who has proven this e-mail, and has joined.
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
