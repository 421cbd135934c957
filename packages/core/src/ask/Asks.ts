/** Questions over the knowledge context, answered at once or by a job. */
import { Clock, Context, Duration, Effect, Fiber, Layer, Option, Stream } from "effect"
import { answerQuestion, streamAnswer } from "./answerQuestion.ts"
import { ANSWER_TIMEOUT, ASK_QUEUE, askJob, describe, describeAnswered, isVisible, MAX_WAITING } from "./askJobs.ts"
import { CurrentAsker, Questions } from "./Questions.ts"
import type { ContextViews } from "../context/ContextViews.ts"
import { withoutDeleted } from "./withoutDeleted.ts"
import type { Reranking } from "../search/Reranking.ts"
import type { VectorSearch } from "../search/VectorSearch.ts"
import { paged } from "../internal/paged.ts"
import { makeLoopTurns } from "../scheduling/LoopTurns.ts"
import type { Answer, AnsweredAskJob, AskEvent, AskJob, AskJobStatus, AskRequest } from "../model/Ask.ts"
import { cursorOf } from "../model/Cursor.ts"
import { AuthenticationFailed, JobNotFound, Overloaded, StorageUnavailable } from "../model/Error.ts"
import { JobId, parseId, type WorkspaceId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import type { Answerer } from "../ports/Answerer.ts"
import type { ConnectionStore } from "../ports/ConnectionStore.ts"
import type { ConnectorStore } from "../ports/ConnectorStore.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"
import { type Job, JobStore, queuedJob } from "../ports/JobStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { queueAnnouncement } from "../webhooks/run/announceAsk.ts"

const cursor = cursorOf("ask jobs", JobId)

// Changes wake a waiter at once; polling covers missed ones and other nodes.
const POLL = 500

const late = Effect.suspend(() =>
  Effect.fail(new StorageUnavailable({ cause: `no answer within ${Duration.format(ANSWER_TIMEOUT)}` }))
)

const { turnOf } = makeLoopTurns()

const isOver = (job: Job): boolean => job.status !== "queued" && job.status !== "running"

export class Asks extends Context.Service<Asks, {
  ask(workspaceId: WorkspaceId, request: AskRequest): Effect.Effect<Answer, StorageUnavailable>
  /** The answer as a stream, which starts when the evidence has been read. */
  stream(
    workspaceId: WorkspaceId,
    request: AskRequest
  ): Effect.Effect<Stream.Stream<AskEvent, StorageUnavailable>, StorageUnavailable>
  /**
   * Queues the question. `Overloaded`: too many are waiting. `AuthenticationFailed`: the workspace was erased after the
   * request was let in.
   */
  askLater(
    workspaceId: WorkspaceId,
    request: AskRequest
  ): Effect.Effect<AskJob, AuthenticationFailed | Overloaded | StorageUnavailable>
  /** Newest first, without answers. */
  jobs(
    workspaceId: WorkspaceId,
    status: AskJobStatus | null,
    page: PageRequest
  ): Effect.Effect<Page<AskJob>, InvalidCursor | StorageUnavailable>
  /** Waits up to `wait` for the job to end. */
  job(
    workspaceId: WorkspaceId,
    jobId: string,
    wait: Duration.Duration
  ): Effect.Effect<AnsweredAskJob, JobNotFound | StorageUnavailable>
  cancel(workspaceId: WorkspaceId, jobId: string): Effect.Effect<AskJob, JobNotFound | StorageUnavailable>
}>()("@tributary/core/Asks") {
  static readonly layer = Layer.effect(
    Asks,
    Effect.gen(function*() {
      const store = yield* JobStore
      const workspaces = yield* WorkspaceStore
      const context = yield* Effect.context<
        | Answerer
        | ConnectionStore
        | ConnectorStore
        | ContextViews
        | DocumentStore
        | JobStore
        | Questions
        | Reranking
        | VectorSearch
      >()

      const idOf = (jobId: string) => Effect.fromOption(parseId(JobId)(jobId), () => new JobNotFound())

      const found = <E>(job: Effect.Effect<Option.Option<Job>, E>) =>
        Effect.flatMap(job, (option) => Effect.fromOption(option, () => new JobNotFound()))

      const visibleJobs = Effect.gen(function*() {
        const { principal } = yield* CurrentAsker
        const tokenFilter = yield* CurrentTokenFilter
        return (job: Job) => isVisible(job, principal, tokenFilter)
      })

      const askLater = Effect.fn("Asks.askLater")(function*(workspaceId: WorkspaceId, request: AskRequest) {
        const { principal } = yield* CurrentAsker
        const job = askJob(workspaceId, request, principal, yield* CurrentTokenFilter, yield* Clock.currentTimeMillis)
        const id = yield* store.enqueue(job, MAX_WAITING)
        if (Option.isNone(id)) {
          if (Option.isNone(yield* workspaces.find(workspaceId))) return yield* new AuthenticationFailed()
          return yield* new Overloaded({ message: `${MAX_WAITING} ask jobs are waiting in this workspace already.` })
        }
        return describe(queuedJob(job))
      })

      const shown = Effect.fnUntraced(function*(workspaceId: WorkspaceId, job: AnsweredAskJob) {
        if (job.result === null) return job
        return { ...job, result: yield* Effect.provide(withoutDeleted(workspaceId, job.result), context) }
      })

      const job = Effect.fn("Asks.job")(function*(workspaceId: WorkspaceId, jobId: string, wait: Duration.Duration) {
        const id = yield* idOf(jobId)
        const visible = yield* visibleJobs
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(wait)
        for (let looks = 0;; looks++) {
          // Many may wait, and each change wakes them all.
          if (looks > 0) yield* turnOf(workspaceId)
          const changed = yield* Effect.forkChild(store.changed, { startImmediately: true })
          const current = yield* found(Effect.map(store.find(workspaceId, ASK_QUEUE, id), Option.filter(visible)))
          const left = until - (yield* Clock.currentTimeMillis)
          if (isOver(current) || left <= 0) return yield* shown(workspaceId, describeAnswered(current))
          yield* Effect.timeoutOption(Fiber.join(changed), Math.min(left, POLL))
          yield* Fiber.interrupt(changed)
        }
      })

      return Asks.of({
        ask: (workspaceId, request) =>
          answerQuestion(workspaceId, request).pipe(
            Effect.provide(context),
            Effect.timeoutOrElse({ duration: ANSWER_TIMEOUT, orElse: () => late })
          ),
        stream: (workspaceId, request) =>
          streamAnswer(workspaceId, request).pipe(
            Effect.map((events) =>
              events.pipe(Stream.provideContext(context), Stream.interruptWhen(Effect.delay(late, ANSWER_TIMEOUT)))
            ),
            Effect.provide(context)
          ),
        askLater,
        jobs: Effect.fn("Asks.jobs")(
          function*(workspaceId: WorkspaceId, status: AskJobStatus | null, page: PageRequest) {
            const visible = yield* visibleJobs
            const { items, next } = yield* paged(
              cursor,
              page,
              (job: Job) => job.job_id,
              (after, limit) => store.list(workspaceId, ASK_QUEUE, { status, after, limit }),
              visible
            )
            return { items: items.map(describe), next }
          }
        ),
        job,
        cancel: Effect.fn("Asks.cancel")(function*(workspaceId: WorkspaceId, jobId: string) {
          const id = yield* idOf(jobId)
          const now = new Date(yield* Clock.currentTimeMillis)
          const cancelled = yield* found(store.cancel(workspaceId, ASK_QUEUE, id, now))
          // A queued one has no attempt that would announce its end.
          if (cancelled.status === "cancelled") yield* Effect.provide(queueAnnouncement(cancelled), context)
          return describe(cancelled)
        })
      })
    })
  ).pipe(Layer.provide(Questions.layer))
}
