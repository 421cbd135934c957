import { useNavigate } from "@tanstack/react-router"
import { consoleApi } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Form } from "../ui/forms/Form.tsx"
import { useForm } from "../ui/forms/useForm.ts"
import { toast } from "../ui/feedback/Toasts.tsx"

interface Props {
  readonly name: string
  readonly label: string
  readonly action: string
  readonly onSubmit: (name: string) => Promise<unknown>
}

const NameForm = ({ action, label, name, onSubmit }: Props) => {
  const form = useForm({
    values: { name },
    check: ({ name }) => ({ name: name.trim() === "" && "Give a name." }),
    submit: ({ name }) => onSubmit(name)
  })
  return (
    <Form form={form} action={action}>
      <form.AppField name="name">{({ Text }) => <Text label={label} maxLength={255} />}</form.AppField>
    </Form>
  )
}

export const RenameWorkspace = () => {
  const { workspace: { name, workspace_id } } = useWorkspace()
  return (
    <NameForm
      name={name}
      label="Name of the workspace"
      action="Rename"
      onSubmit={async (name) => {
        await consoleApi.renameWorkspace(workspace_id, name)
        await queries.invalidateQueries({ queryKey: ["workspaces"] })
        toast("Renamed.")
      }}
    />
  )
}

export const NewWorkspace = ({ onDone }: { readonly onDone: () => void }) => {
  const navigate = useNavigate()
  return (
    <NameForm
      name=""
      label="Name"
      action="Create workspace"
      onSubmit={async (name) => {
        const { workspace_id } = await consoleApi.openWorkspace(name)
        await queries.invalidateQueries({ queryKey: ["workspaces"] })
        onDone()
        await navigate({ to: "/w/$workspaceId", params: { workspaceId: workspace_id } })
      }}
    />
  )
}

export const RenameMe = () => {
  const { me } = useWorkspace()
  return (
    <NameForm
      name={me.user.name}
      label="Your name"
      action="Save"
      onSubmit={async (name) => {
        await consoleApi.rename(name)
        await queries.invalidateQueries({ queryKey: ["me"] })
        toast("Saved.")
      }}
    />
  )
}
