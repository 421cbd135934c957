/** The knowledge context: settings, status, refresh, search, ask and its jobs. */
import { Asks } from "@tributary/core/Asks"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import type { AskRequest } from "@tributary/core/model/Ask"
import type { Principal } from "@tributary/core/model/Principal"
import { CurrentAsker, Questions } from "@tributary/core/Questions"
import { Search } from "@tributary/core/Search"
import { Duration, Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Knowledge } from "../api/Knowledge.ts"
import { EventStream } from "../response/EventStreams.ts"
import { wantsEvents } from "../response/Accept.ts"
import { Reply } from "../response/Reply.ts"
import type { Caller } from "../middleware/Authorization.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

/** RFC 7240: `Prefer: respond-async`, possibly among other preferences. */
const prefersAsync = ({ headers }: HttpServerRequest): boolean =>
  (headers["prefer"] ?? "").split(",").some((preference) => /^\s*respond-async\s*(?:;|$)/i.test(preference))

const onBehalfOf = <A, E>(principal: Principal, work: Effect.Effect<A, E>) =>
  Effect.provideService(work, CurrentAsker, { principal, question_id: null })

export const knowledge = Effect.gen(function*() {
  const context = yield* KnowledgeContext
  const search = yield* Search
  const asks = yield* Asks
  const questions = yield* Questions

  /** Asks with the caller recorded; a header of the response has the question's id if questions are logged. */
  const asking = <A, E>(principal: Principal, asked: Effect.Effect<A, E>) =>
    Effect.flatMap(questions.newId, (question_id) =>
      Effect.map(
        Effect.provideService(asked, CurrentAsker, { principal, question_id }),
        (answer) => new Reply(answer, question_id === null ? {} : { "x-question-id": question_id })
      ))

  const ask = ({ principal, workspace }: Caller, request: AskRequest) =>
    asking(principal, asks.ask(workspace.workspace_id, request))

  const askStreaming = ({ principal, workspace }: Caller, request: AskRequest) =>
    asking(principal, Effect.map(asks.stream(workspace.workspace_id, request), (events) => new EventStream(events)))

  const askLater = ({ principal, workspace }: Caller, request: AskRequest) =>
    Effect.map(
      onBehalfOf(principal, asks.askLater(workspace.workspace_id, request)),
      (job) => new Reply(job, { location: `/v1/knowledge/ask/jobs/${job.job_id}` }, 202)
    )

  const handlers: Handlers<typeof Knowledge> = {
    getSettings: ({ caller: { workspace } }) => context.settings(workspace.workspace_id),
    updateSettings: ({ caller: { principal, workspace }, payload }) => context.configure(workspace, payload, principal),
    getStatus: ({ caller: { workspace } }) => context.status(workspace.workspace_id),
    refresh: ({ caller: { workspace }, payload }) => context.refresh(workspace.workspace_id, payload ?? {}),
    search: ({ caller: { workspace }, payload }) => search.search(workspace.workspace_id, payload),
    ask: ({ caller, payload, request }) =>
      payload.async === true || prefersAsync(request)
        ? askLater(caller, payload)
        : wantsEvents(request)
        ? askStreaming(caller, payload)
        : ask(caller, payload),
    listAskJobs: ({ caller: { principal, workspace }, query }) =>
      Effect.map(
        onBehalfOf(principal, asks.jobs(workspace.workspace_id, query.status ?? null, toPageRequest(query))),
        page("jobs")
      ),
    getAskJob: ({ caller: { principal, workspace }, params, query }) =>
      onBehalfOf(principal, asks.job(workspace.workspace_id, params.job_id, Duration.seconds(query.wait ?? 0))),
    cancelAskJob: ({ caller: { workspace }, params }) => asks.cancel(workspace.workspace_id, params.job_id)
  }
  return handlers
})
