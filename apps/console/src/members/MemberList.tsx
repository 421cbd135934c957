import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { type Colleague, consoleApi } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import { ListHead } from "../lists/ListHead.tsx"
import { hasWords, type ListSearch } from "../lists/listSearch.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { ShowMore } from "../ui/ShowMore.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Moment } from "../ui/time/Moment.tsx"
import { Card, Empty } from "../ui/Page.tsx"
import { attempt } from "../ui/feedback/useWork.ts"
import { useChange } from "../ui/feedback/useChange.ts"
import { useMembers } from "./useMembers.ts"

const About = ({ member: { email, email_proof, joined_at, name, role, user_id } }: { readonly member: Colleague }) => {
  const { me } = useWorkspace()
  return (
    <div>
      <div className="row-title">
        <bdi>{name}</bdi>
        <Badge tone={role === "owner" ? "accent" : "plain"}>{role === "owner" ? "Owner" : "Member"}</Badge>
        {user_id === me.user.user_id && <Badge>You</Badge>}
      </div>
      <div className="facts">
        {email !== null && <span>{email}</span>}
        {email !== null && email_proof === "none" && <span>e-mail not proven</span>}
        <span>
          joined <Moment at={joined_at} />
        </span>
      </div>
    </div>
  )
}

interface ManageProps {
  readonly member: Colleague
  readonly onRemove: () => void
}

const Manage = ({ member: { name, role, user_id }, onRemove }: ManageProps) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const change = useChange()
  const other = role === "owner" ? "member" : "owner"
  const said = `${name} is now ${other === "owner" ? "an owner" : "a member"}.`
  return (
    <div className="buttons">
      <Button
        small
        onClick={() => attempt(() => change(() => consoleApi.changeMember(workspace_id, user_id, other), said))}
      >
        {other === "owner" ? "Make an owner" : "Make a member"}
      </Button>
      <Button small kind="quiet bad" aria-label={`Remove ${name}`} onClick={onRemove}>Remove</Button>
    </div>
  )
}

const PATH = "/w/$workspaceId/members"

export const MemberList = ({ manages }: { readonly manages: boolean }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [leaving, setLeaving] = useState<Colleague | null>(null)
  const change = useChange()
  const { isReading, members: all, ...members } = useMembers()
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const onSearch = (search: ListSearch) => void navigate({ search, replace: true })
  const listed = all?.filter(({ email, name, role }) => hasWords(search, name, email, role))
  // A workspace keeps at least one owner.
  const isSoleOwner = ({ role }: Colleague): boolean =>
    role === "owner" && !members.hasNextPage && all?.filter(({ role }) => role === "owner").length === 1
  return (
    <>
      <Card flush title="Members">
        {listed === undefined && <NotLoaded flush query={members} what="The members cannot be shown" />}
        {members.data !== undefined && (
          <ListHead label="Find somebody" search={search} onSearch={onSearch}>
            <span role="status" className="numeric soft">
              {isReading ? `Reading, ${counted(all?.length ?? 0)} so far` : amount(listed?.length ?? 0, "member")}
            </span>
            {!isReading && (
              <ExportButtons
                name="members"
                rows={() =>
                  (listed ?? []).map(({ email, joined_at, name, role, user_id }) => ({
                    user_id,
                    name,
                    email,
                    role,
                    joined_at
                  }))}
              />
            )}
          </ListHead>
        )}
        {listed?.length === 0 && !members.hasNextPage && (
          <Empty icon="search" title="Nobody matches">
            <p>This looks at names and addresses.</p>
          </Empty>
        )}
        <ul className="rows">
          {listed?.map((member) => (
            <li key={member.user_id}>
              <About member={member} />
              {manages && !isSoleOwner(member) && <Manage member={member} onRemove={() => setLeaving(member)} />}
            </li>
          ))}
        </ul>
        {members.isFetchNextPageError && <ShowMore list={members} />}
      </Card>
      {leaving !== null && (
        <Confirm
          title={`Remove ${leaving.name}?`}
          action="Remove"
          onClose={() => setLeaving(null)}
          onConfirm={() =>
            change(() => consoleApi.removeMember(workspace_id, leaving.user_id), `${leaving.name} is removed.`)}
        >
          <p>They can no longer see this workspace from this moment on. Keys that they made keep working.</p>
        </Confirm>
      )}
    </>
  )
}
