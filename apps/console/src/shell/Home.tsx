import { useQuery } from "@tanstack/react-query"
import { Navigate, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { takeRequestedPage } from "../api/signedOut.ts"
import { ReceivedInvitations, useReceived } from "../members/Received.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { lastWorkspace } from "./lastWorkspace.ts"
import { Loading } from "./Loading.tsx"
import { signOut } from "./signOut.ts"

/**
 * Shows open invitations first. Then it goes to the page requested before sign-in, to the last workspace, or to the
 * first one.
 */
export const Home = () => {
  const [asked] = useState(takeRequestedPage)
  const { history } = useRouter()
  const { data, error, refetch } = useQuery({ queryKey: ["workspaces"], queryFn: consoleApi.workspaces })
  const received = useReceived()
  const [later, setLater] = useState(false)
  const [joined, setJoined] = useState<string | null>(null)
  const invitations = received.data ?? []
  const isAsking = !later && invitations.length > 0
  const next = received.isPending || isAsking ? null : asked
  useEffect(() => {
    if (next !== null) history.replace(next)
  }, [next, history])
  if (error !== null) {
    return (
      <main className="alone">
        <Failure error={error} retry={() => void refetch()} />
      </main>
    )
  }
  if (data === undefined || received.isPending || next !== null) return <Loading />
  if (isAsking) {
    return (
      <main className="alone">
        <section className="card stack">
          <h1>You are invited</h1>
          <ReceivedInvitations invitations={invitations} onJoined={setJoined}>
            {data.length > 0 && <Button kind="quiet" onClick={() => setLater(true)}>Not now</Button>}
          </ReceivedInvitations>
        </section>
      </main>
    )
  }
  const workspace = data.find(({ workspace_id }) => workspace_id === (joined ?? lastWorkspace())) ?? data[0]
  if (workspace === undefined) {
    return (
      <main className="alone">
        <section className="stack">
          <h1>You are in no workspace</h1>
          <p>Ask an owner of a workspace for an invitation. It appears here.</p>
          <div className="buttons">
            <Button onClick={() => void received.refetch()}>Look again</Button>
            <Button kind="quiet" onClick={signOut}>Sign out</Button>
          </div>
        </section>
      </main>
    )
  }
  return <Navigate to="/w/$workspaceId" params={{ workspaceId: workspace.workspace_id }} replace />
}
