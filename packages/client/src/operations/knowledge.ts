/** The knowledge context: settings, search, questions and ask jobs. */
import type { AskJobStatus } from "@tributary/core/model/Ask"
import { Effect } from "effect"
import { answerOf, jobOf } from "../askResponse.ts"
import { CALL, type CallOptions, omitUndefined, withTimeout } from "../calling.ts"
import { checkNames, type Names } from "../optionNames.ts"
import type { Listing } from "../paging.ts"
import { askEventOf } from "../transport/streaming.ts"
import { untilJobEnds, untilUpToDate } from "../waiting.ts"
import type {
  Answer,
  AnsweredAskJob,
  AskEvent,
  AskJob,
  KnowledgeSettings,
  KnowledgeStatus,
  RefreshStarted,
  SearchAnswer,
  SearchResult
} from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"
import type { AskRequest, KnowledgeSettingsPatch, RefreshRequest, SearchRequest } from "../requests/requests.ts"

export interface Waiting extends Pick<CallOptions, "signal"> {
  /** Milliseconds; ten minutes by default. */
  readonly timeout?: number | undefined
}

const WAITING: Names<Waiting> = CALL

export interface WaitingForContext extends Waiting {
  readonly onProgress?: ((status: KnowledgeStatus) => void) | undefined
}

const WAITING_FOR_CONTEXT: Names<WaitingForContext> = { ...WAITING, onProgress: true }

const TEN_MINUTES = 600_000

export const knowledge = ({ api, call, pages, stream }: ConnectedClient) => ({
  /** The time range that answers are taken from: the settings of the knowledge context. */
  settings: (options?: CallOptions): Promise<KnowledgeSettings> => call(api.knowledge.getSettings(), options),
  /** Changes the settings that are given, and starts a rebuild of the context at once. */
  updateSettings: (patch: KnowledgeSettingsPatch, options?: CallOptions): Promise<KnowledgeSettings> =>
    call(api.knowledge.updateSettings({ payload: omitUndefined(patch) }), options),
  /** Whether the context is up to date with the settings, and the progress of a running build. */
  status: (options?: CallOptions): Promise<KnowledgeStatus> => call(api.knowledge.getStatus(), options),
  /** Brings the context up to date with changed documents at once, which otherwise happens by itself within seconds. */
  refresh: (request: RefreshRequest = {}, options?: CallOptions): Promise<RefreshStarted> =>
    call(api.knowledge.refresh({ payload: omitUndefined(request) }), options),
  /**
   * One page of the documents that match best, inside and outside the range of the context. A document is found as soon
   * as its ingest has resolved.
   */
  search: (request: SearchRequest, options?: CallOptions): Promise<SearchAnswer> =>
    call(api.knowledge.search({ payload: omitUndefined(request) }), options),
  /** Every result, page by page, as deep as the service goes. `limit` is the size of a page. */
  searchAll: (request: Omit<SearchRequest, "cursor">, options?: CallOptions): Pages<SearchResult> =>
    pages("results", request, options ?? {}, (payload) => api.knowledge.search({ payload: omitUndefined(payload) })),
  /**
   * Answers a question from the documents within the range, with word-for-word quotes as `citations`. Without
   * sufficient evidence `answered` is false.
   */
  ask: (request: Omit<AskRequest, "async">, options?: CallOptions): Promise<Answer> =>
    call(Effect.flatMap(api.knowledge.ask({ payload: omitUndefined(request) }), answerOf), options),
  /** The answer as it is written: citations, pieces of text, and finally the whole answer. */
  askStream: (request: Omit<AskRequest, "async">, options?: CallOptions): AsyncIterable<AskEvent> =>
    stream(api.knowledge.ask({ payload: omitUndefined(request), responseMode: "response-only" }), askEventOf, options),
  /** Starts a job that answers the question, and resolves at once; `waitForJob` has the answer. */
  askLater: (request: Omit<AskRequest, "async">, options?: CallOptions): Promise<AskJob> =>
    call(Effect.flatMap(api.knowledge.ask({ payload: { ...omitUndefined(request), async: true } }), jobOf), options),
  /** The jobs of `askLater` of the last 30 days, newest first, without their answers. */
  jobs: (query: { readonly status?: AskJobStatus | undefined } = {}, options: Listing = {}): Pages<AskJob> =>
    pages("jobs", query, options, (query) => api.knowledge.listAskJobs({ query: omitUndefined(query) })),
  /** A job, with its answer once it is finished. `wait` is how many seconds, up to 30, to wait for that. */
  job: (
    job_id: string,
    query: { readonly wait?: number | undefined } = {},
    options?: CallOptions
  ): Promise<AnsweredAskJob> =>
    call(api.knowledge.getAskJob({ params: { job_id }, query: omitUndefined(query) }), options),
  /** Cancels a job that is queued or running. One that has ended stays as it is. */
  cancelJob: (job_id: string, options?: CallOptions): Promise<AskJob> =>
    call(api.knowledge.cancelAskJob({ params: { job_id } }), options),
  /** Resolves with the job once it has ended: succeeded, failed or cancelled. Rejects after `timeout`. */
  waitForJob: async (jobId: string, options: Waiting = {}): Promise<AnsweredAskJob> => {
    checkNames(WAITING, options)
    const { signal, timeout = TEN_MINUTES } = options
    return call(withTimeout(untilJobEnds(jobId), timeout), { signal })
  },
  /** Resolves once the context is built with the present settings. Rejects if the build fails, and after `timeout`. */
  waitUntilUpToDate: async (options: WaitingForContext = {}): Promise<KnowledgeStatus> => {
    checkNames(WAITING_FOR_CONTEXT, options)
    const { onProgress, signal, timeout = TEN_MINUTES } = options
    return call(withTimeout(untilUpToDate(onProgress), timeout), { signal })
  }
})
