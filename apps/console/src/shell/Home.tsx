import { useQuery } from "@tanstack/react-query"
import { Navigate, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { takeRequestedPage } from "../api/signedOut.ts"
import { Failure } from "../ui/Failure.tsx"
import { lastWorkspace } from "./lastWorkspace.ts"
import { Loading } from "./Loading.tsx"

/** Goes on at the page that was asked for before signing in, else in the workspace of last time, or in the first. */
export const Home = () => {
  const [asked] = useState(takeRequestedPage)
  const { history } = useRouter()
  const { data, error, refetch } = useQuery({ queryKey: ["workspaces"], queryFn: consoleApi.workspaces })
  useEffect(() => {
    if (asked !== null) history.replace(asked)
  }, [asked, history])
  if (asked !== null) return <Loading />
  if (error !== null) {
    return (
      <div className="alone">
        <Failure error={error} retry={() => void refetch()} />
      </div>
    )
  }
  if (data === undefined) return <Loading />
  const workspace = data.find(({ workspace_id }) => workspace_id === lastWorkspace()) ?? data[0]
  if (workspace === undefined) {
    return (
      <div className="alone">
        <p>You are in no workspace.</p>
      </div>
    )
  }
  return <Navigate to="/w/$workspaceId" params={{ workspaceId: workspace.workspace_id }} replace />
}
