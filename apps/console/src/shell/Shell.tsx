/** The frame around every page of a workspace. */
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useParams } from "@tanstack/react-router"
import { useEffect, useMemo, useRef, useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { queries, useReachable } from "../api/queries.ts"
import { rememberSignedIn } from "../api/signedOut.ts"
import { WorkspaceProvider } from "../api/workspace.tsx"
import { workspaceClient } from "../api/workspaceClient.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Icon } from "../ui/Icon.tsx"
import icon from "../icon.svg"
import { rememberWorkspace } from "./lastWorkspace.ts"
import { Loading } from "./Loading.tsx"
import { Nav } from "./Nav.tsx"
import { PaletteButton } from "../palette/PaletteButton.tsx"
import { OutOfDate } from "./OutOfDate.tsx"
import { preloadPages } from "./page.ts"
import { signOut } from "./signOut.ts"
import { ThemeSwitch } from "./ThemeSwitch.tsx"
import { WorkspaceSwitcher } from "./WorkspaceSwitcher.tsx"

const Offline = () => (
  <p className="offline" role="status">The server does not answer. This page continues by itself when it does.</p>
)

/** Milliseconds until the other pages are loaded. */
const IDLE = 1_000

export const Shell = () => {
  const { workspaceId } = useParams({ from: "/w/$workspaceId" })
  const me = useQuery({ queryKey: ["me"], queryFn: consoleApi.me, staleTime: 60_000 })
  const reachable = useReachable()
  const workspaces = useQuery({
    queryKey: ["workspaces"],
    queryFn: consoleApi.workspaces,
    staleTime: 60_000,
    // Names and roles change seldom. Also finds out when the server is back.
    refetchInterval: reachable ? 60_000 : 2_000
  })
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  const workspace = workspaces.data?.find(({ workspace_id }) => workspace_id === workspaceId)
  const client = useMemo(() => workspaceClient(workspaceId), [workspaceId])

  useEffect(() => {
    if (workspace !== undefined) rememberWorkspace(workspace.workspace_id)
  }, [workspace])

  const userId = me.data?.user.user_id
  useEffect(() => {
    if (userId === undefined) return
    rememberSignedIn(userId)
    // Once the first page is there.
    const timer = setTimeout(() => void preloadPages(), IDLE)
    return () => clearTimeout(timer)
  }, [userId])

  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || !open) return
      setOpen(false)
      menu.current?.focus()
    }
    document.addEventListener("keydown", close)
    return () => document.removeEventListener("keydown", close)
  }, [open])

  const error = me.data === undefined ? me.error : workspaces.data === undefined ? workspaces.error : null
  if (error !== null) {
    return (
      <main className="alone">
        <Failure error={error} retry={() => void queries.invalidateQueries()} />
      </main>
    )
  }
  if (me.data === undefined || workspaces.data === undefined) {
    return <Loading />
  }
  if (workspace === undefined) {
    return (
      <main className="alone">
        <div>
          <h1>You are not in this workspace</h1>
          <p>
            It may have been deleted, or an owner removed you. <Link to="/">Go to a workspace of yours</Link>
          </p>
        </div>
      </main>
    )
  }

  const inWorkspace = {
    me: me.data,
    workspace,
    workspaces: workspaces.data,
    client,
    isOwner: workspace.role === "owner",
    changed: (...key: ReadonlyArray<string>) => queries.invalidateQueries({ queryKey: [workspaceId, ...key] })
  }
  return (
    <WorkspaceProvider value={inWorkspace}>
      <a className="skip" href="#content">Skip to the content</a>
      <div className="shell">
        <header className="top">
          <span className="brand">
            <img src={icon} alt="" />
            {workspace.name}
          </span>
          <button
            ref={menu}
            type="button"
            className="button square"
            aria-label="Menu"
            aria-expanded={open}
            aria-controls="side"
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? "close" : "menu"} />
          </button>
        </header>
        <aside className="side" id="side" aria-label="Menu" data-open={open}>
          <span className="brand">
            <img src={icon} alt="" />Tributary
          </span>
          <WorkspaceSwitcher />
          <PaletteButton onOpen={() => setOpen(false)} />
          <Nav onGo={() => setOpen(false)} />
          <div className="side-end">
            <ThemeSwitch />
            <div className="me">
              <span className="small wrap-anywhere">{me.data.user.name}</span>
              <Button kind="quiet" small onClick={signOut}>Sign out</Button>
            </div>
          </div>
        </aside>
        <button
          type="button"
          className="scrim"
          tabIndex={-1}
          aria-label="Close the menu"
          onClick={() => setOpen(false)}
        />
        <main className="main" id="content" tabIndex={-1}>
          {reachable ? <OutOfDate /> : <Offline />}
          <Outlet key={workspaceId} />
        </main>
      </div>
    </WorkspaceProvider>
  )
}
