/** Every page and its address. Those that nobody lands on at first are loaded when they are gone to. */
import { createRootRoute, createRoute, createRouter, type ErrorComponentProps, Outlet } from "@tanstack/react-router"
import type { AskJobStatus } from "./api/models.ts"
import { type CallSearch, callSearchOf } from "./calls/callSearch.ts"
import { documentSearchOf } from "./documents/documentSearch.ts"
import { Overview } from "./pages/Overview.tsx"
import { Crash, Lost } from "./shell/Crash.tsx"
import { Home } from "./shell/Home.tsx"
import { page } from "./shell/page.ts"
import { Shell } from "./shell/Shell.tsx"
import { SignIn } from "./shell/SignIn.tsx"

const root = createRootRoute({ component: Outlet })

const signIn = createRoute({ getParentRoute: () => root, path: "/sign-in", component: SignIn })
const home = createRoute({ getParentRoute: () => root, path: "/", component: Home })
const workspace = createRoute({ getParentRoute: () => root, path: "/w/$workspaceId", component: Shell })

const inWorkspace = { getParentRoute: () => workspace }

/** What a citation points at; absent for a document as a whole. */
interface Place {
  readonly start?: number
  readonly end?: number
  /** Words that were searched for. */
  readonly find?: string
}

const playgroundOf = (query: Record<string, unknown>): CallSearch & { readonly mode?: "search" } => ({
  ...callSearchOf(query),
  ...(query["mode"] === "search" ? { mode: "search" } : {})
})

const JOB_STATES: ReadonlySet<AskJobStatus> = new Set(["queued", "running", "succeeded", "failed", "cancelled"])

const placeOf = ({ end, find, start }: Record<string, unknown>): Place => ({
  ...(Number.isInteger(start) && Number.isInteger(end) ? { start: Number(start), end: Number(end) } : {}),
  ...(typeof find === "string" && find !== "" ? { find } : {})
})

const jobsOf = ({ status }: Record<string, unknown>): { readonly status?: AskJobStatus } =>
  JOB_STATES.has(status as AskJobStatus) ? { status: status as AskJobStatus } : {}

const pages = [
  createRoute({
    ...inWorkspace,
    path: "/",
    component: Overview
  }),
  createRoute({
    ...inWorkspace,
    path: "/playground",
    validateSearch: playgroundOf,
    component: page(() => import("./pages/Playground.tsx"), "Playground")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connectors",
    component: page(() => import("./pages/Connectors.tsx"), "Connectors")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connectors/$connectorId",
    validateSearch: callSearchOf,
    component: page(() => import("./pages/Connector.tsx"), "ConnectorPage")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connections",
    component: page(() => import("./pages/Connections.tsx"), "Connections")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connections/new",
    component: page(() => import("./pages/NewConnection.tsx"), "NewConnection")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connections/$connectionId",
    validateSearch: callSearchOf,
    component: page(() => import("./pages/Connection.tsx"), "ConnectionPage")
  }),
  createRoute({
    ...inWorkspace,
    path: "/documents",
    validateSearch: documentSearchOf,
    component: page(() => import("./pages/Documents.tsx"), "Documents")
  }),
  createRoute({
    ...inWorkspace,
    path: "/documents/$documentId",
    validateSearch: placeOf,
    component: page(() => import("./pages/Document.tsx"), "DocumentPage")
  }),
  createRoute({
    ...inWorkspace,
    path: "/knowledge",
    component: page(() => import("./pages/Knowledge.tsx"), "Knowledge")
  }),
  createRoute({
    ...inWorkspace,
    path: "/jobs",
    validateSearch: jobsOf,
    component: page(() => import("./pages/Jobs.tsx"), "Jobs")
  }),
  createRoute({
    ...inWorkspace,
    path: "/events",
    component: page(() => import("./pages/Events.tsx"), "Events")
  }),
  createRoute({
    ...inWorkspace,
    path: "/keys",
    component: page(() => import("./pages/Keys.tsx"), "Keys")
  }),
  createRoute({
    ...inWorkspace,
    path: "/members",
    component: page(() => import("./pages/Members.tsx"), "Members")
  }),
  createRoute({
    ...inWorkspace,
    path: "/audit-log",
    component: page(() => import("./pages/AuditLog.tsx"), "AuditLog")
  }),
  createRoute({
    ...inWorkspace,
    path: "/account",
    component: page(() => import("./pages/Account.tsx"), "Account")
  })
] as const

export const router = createRouter({
  routeTree: root.addChildren([signIn, home, workspace.addChildren(pages)]),
  basepath: "/console",
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }: ErrorComponentProps) => <Crash error={error} reset={reset} />,
  defaultNotFoundComponent: Lost
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
