/** The workspace of a page, and its API client. */
import type { Client } from "./workspaceClient.ts"
import { createContext, useContext } from "react"
import type { Me, Workspace } from "./consoleApi.ts"

export interface InWorkspace {
  readonly me: Me
  readonly workspace: Workspace
  readonly workspaces: ReadonlyArray<Workspace>
  readonly client: Client
  readonly isOwner: boolean
}

const Current = createContext<InWorkspace | null>(null)

export const WorkspaceProvider = Current.Provider

export const useWorkspace = (): InWorkspace => {
  const current = useContext(Current)
  if (current === null) throw new Error("this page needs a workspace")
  return current
}
