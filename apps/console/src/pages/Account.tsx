import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { leave } from "../api/signedOut.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { browserOf } from "../members/browserOf.ts"
import { RenameMe } from "../members/WorkspaceForms.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Moment } from "../ui/time/Moment.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { attempt } from "../ui/feedback/useWork.ts"

export const Account = () => {
  const { me } = useWorkspace()
  const [ending, setEnding] = useState(false)
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: consoleApi.sessions, refetchInterval: 10_000 })
  const end = (id: string) =>
    attempt(async () => {
      await consoleApi.endSession(id)
      await queries.invalidateQueries({ queryKey: ["sessions"] })
      toast("The session is ended.")
    })
  return (
    <Page title="Your account" lead={me.user.email ?? "You are the owner of this account."}>
      <Card title="Name">
        <RenameMe />
      </Card>
      <Card flush title="Sessions" aside={<Button small onClick={() => setEnding(true)}>End all</Button>}>
        {sessions.data === undefined && <NotLoaded flush query={sessions} what="The sessions cannot be shown" />}
        <ul className="rows">
          {sessions.data?.map((session) => (
            <li key={session.session_id}>
              <div>
                <div className="row-title">
                  {session.address ?? "Unknown address"}
                  {session.session_id === me.session.session_id && <Badge tone="good">This one</Badge>}
                </div>
                <div className="facts">
                  <span>
                    begun <Moment at={session.created_at} />
                  </span>
                  <span>
                    last seen <Moment at={session.last_seen_at} />
                  </span>
                  {session.user_agent !== null && (
                    <span title={session.user_agent}>{browserOf(session.user_agent)}</span>
                  )}
                </div>
              </div>
              {session.session_id !== me.session.session_id && (
                <Button
                  small
                  kind="quiet bad"
                  onClick={() => end(session.session_id)}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {ending && (
        <Confirm
          title="End all sessions?"
          action="End all"
          onClose={() => setEnding(false)}
          onConfirm={() => leave(consoleApi.endSessions)}
        >
          <p>
            You are signed out here and everywhere else. To come back you need a new sign-in link, or your
            organisation’s sign-in.
          </p>
        </Confirm>
      )}
    </Page>
  )
}
