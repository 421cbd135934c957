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
  /** Reads queries of the workspace again: those whose keys begin like this. */
  readonly changed: (...key: ReadonlyArray<string>) => Promise<void>
}

const Current = createContext<InWorkspace | null>(null)

export const WorkspaceProvider = Current.Provider

export const useWorkspace = (): InWorkspace => {
  const current = useContext(Current)
  if (current === null) throw new Error("this page needs a workspace")
  return current
}
