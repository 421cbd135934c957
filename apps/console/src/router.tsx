/** The routes. Pages other than the overview are loaded on demand. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Outlet,
  redirect
} from "@tanstack/react-router"
import type { AskJobStatus } from "./api/models.ts"
import { SERVER_PATH } from "./api/server.ts"
import { type CallSearch, callSearchOf } from "./calls/filters/callSearch.ts"
import { type DayRange, dayRangeOf } from "./charts/days.ts"
import { connectSearchOf } from "./connect/connectSearch.ts"
import { documentSearchOf } from "./documents/documentSearch.ts"
import { Overview } from "./pages/Overview.tsx"
import { readQuery, textsIn, writeQuery } from "./shell/address.ts"
import { Crash, Lost } from "./shell/Crash.tsx"
import { Home } from "./shell/Home.tsx"
import { Join } from "./shell/Join.tsx"
import { page } from "./shell/page.ts"
import { Shell } from "./shell/Shell.tsx"
import { SignIn } from "./shell/SignIn.tsx"
import { type ListSearch, listSearchOf } from "./lists/listSearch.ts"

const root = createRootRoute({ component: Outlet })

const signIn = createRoute({ getParentRoute: () => root, path: "/sign-in", component: SignIn })
const join = createRoute({ getParentRoute: () => root, path: "/join", component: Join })
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

const isCount = (value: unknown): boolean => /^\d{1,9}$/.test(String(value))

const placeOf = ({ end, start, ...query }: Record<string, unknown>): Place => ({
  ...(isCount(start) && isCount(end) ? { start: Number(start), end: Number(end) } : {}),
  ...textsIn(query, "find")
})

const listByDayOf = (query: Record<string, unknown>): ListSearch & DayRange => ({
  ...listSearchOf(query),
  ...dayRangeOf(query)
})

const providerOf = (query: Record<string, unknown>): { readonly provider?: string } => textsIn(query, "provider")

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
    path: "/sources",
    validateSearch: listSearchOf,
    component: page(() => import("./pages/Sources.tsx"), "Sources")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connectors",
    beforeLoad: ({ params }) => {
      throw redirect({ to: "/w/$workspaceId/sources", params, search: { is: "push" }, replace: true })
    }
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
    beforeLoad: ({ params }) => {
      throw redirect({ to: "/w/$workspaceId/sources", params, search: { is: "pull" }, replace: true })
    }
  }),
  createRoute({
    ...inWorkspace,
    path: "/connections/new",
    validateSearch: providerOf,
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
    path: "/questions",
    validateSearch: listByDayOf,
    component: page(() => import("./pages/Questions.tsx"), "Questions")
  }),
  createRoute({
    ...inWorkspace,
    path: "/usage",
    validateSearch: listByDayOf,
    component: page(() => import("./pages/Usage.tsx"), "Usage")
  }),
  createRoute({
    ...inWorkspace,
    path: "/connect",
    validateSearch: connectSearchOf,
    component: page(() => import("./pages/Connect.tsx"), "Connect")
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
    path: "/jobs/$jobId",
    component: page(() => import("./pages/Job.tsx"), "JobPage")
  }),
  createRoute({
    ...inWorkspace,
    path: "/events",
    validateSearch: listSearchOf,
    component: page(() => import("./pages/Events.tsx"), "Events")
  }),
  createRoute({
    ...inWorkspace,
    path: "/keys",
    validateSearch: listSearchOf,
    component: page(() => import("./pages/Keys.tsx"), "Keys")
  }),
  createRoute({
    ...inWorkspace,
    path: "/members",
    validateSearch: listSearchOf,
    component: page(() => import("./pages/Members.tsx"), "Members")
  }),
  createRoute({
    ...inWorkspace,
    path: "/audit-log",
    validateSearch: listSearchOf,
    component: page(() => import("./pages/AuditLog.tsx"), "AuditLog")
  }),
  createRoute({
    ...inWorkspace,
    path: "/account",
    component: page(() => import("./pages/Account.tsx"), "Account")
  })
] as const

export const router = createRouter({
  routeTree: root.addChildren([signIn, join, home, workspace.addChildren(pages)]),
  basepath: `${SERVER_PATH}/console`,
  parseSearch: readQuery,
  stringifySearch: writeQuery,
  // Pages would also get the parameters that theirs leave out.
  search: { strict: true },
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
