/** Every page and its address. Those that nobody lands on at first are loaded when they are gone to. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet
} from "@tanstack/react-router"
import { Overview } from "./pages/Overview.tsx"
import { Crash, Lost } from "./shell/Crash.tsx"
import { Home } from "./shell/Home.tsx"
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
}

const placeOf = ({ end, start }: Record<string, unknown>): Place =>
  Number.isInteger(start) && Number.isInteger(end) ? { start: Number(start), end: Number(end) } : {}

const pages = [
  createRoute({
    ...inWorkspace,
    path: "/",
    component: Overview
  }),
  createRoute({
    ...inWorkspace,
    path: "/playground",
    component: lazyRouteComponent(() => import("./pages/Playground.tsx"), "Playground")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connectors",
    component: lazyRouteComponent(() => import("./pages/Connectors.tsx"), "Connectors")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connectors/$connectorId",
    component: lazyRouteComponent(() => import("./pages/Connector.tsx"), "ConnectorPage")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connections",
    component: lazyRouteComponent(() => import("./pages/Connections.tsx"), "Connections")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connections/new",
    component: lazyRouteComponent(() => import("./pages/NewConnection.tsx"), "NewConnection")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connections/$connectionId",
    component: lazyRouteComponent(() => import("./pages/Connection.tsx"), "ConnectionPage")
  }),
  createRoute({
    ...inWorkspace,
    path: "/documents/$documentId",
    validateSearch: placeOf,
    component: lazyRouteComponent(() => import("./pages/Document.tsx"), "DocumentPage")
  }),
  createRoute({
    ...inWorkspace,
    path: "/knowledge",
    component: lazyRouteComponent(() => import("./pages/Knowledge.tsx"), "Knowledge")
  }),
  createRoute({
    ...inWorkspace,
    path: "/jobs",
    component: lazyRouteComponent(() => import("./pages/Jobs.tsx"), "Jobs")
  }),
  createRoute({
    ...inWorkspace,
    path: "/events",
    component: lazyRouteComponent(() => import("./pages/Events.tsx"), "Events")
  }),
  createRoute({
    ...inWorkspace,
    path: "/keys",
    component: lazyRouteComponent(() => import("./pages/Keys.tsx"), "Keys")
  }),
  createRoute({
    ...inWorkspace,
    path: "/members",
    component: lazyRouteComponent(() => import("./pages/Members.tsx"), "Members")
  }),
  createRoute({
    ...inWorkspace,
    path: "/audit-log",
    component: lazyRouteComponent(() => import("./pages/AuditLog.tsx"), "AuditLog")
  }),
  createRoute({
    ...inWorkspace,
    path: "/account",
    component: lazyRouteComponent(() => import("./pages/Account.tsx"), "Account")
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
