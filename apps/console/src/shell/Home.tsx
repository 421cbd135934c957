import { useQuery } from "@tanstack/react-query"
import { Navigate, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { takePageAskedFor } from "../api/signedOut.ts"
import { Failure } from "../ui/Failure.tsx"
import { lastWorkspace } from "./lastWorkspace.ts"

/** Goes on at the page that was asked for before signing in, else in the workspace of last time, or in the first. */
export const Home = () => {
  const [asked] = useState(takePageAskedFor)
  const { history } = useRouter()
  const { data, error, refetch } = useQuery({ queryKey: ["workspaces"], queryFn: consoleApi.workspaces })
  useEffect(() => {
    if (asked !== null) history.replace(asked)
  }, [asked, history])
  if (asked !== null) return null
  if (error !== null) {
    return (
      <div className="alone">
        <Failure error={error} retry={() => void refetch()} />
      </div>
    )
  }
  if (data === undefined) return null
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
