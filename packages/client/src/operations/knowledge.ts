/** The knowledge context: settings, search, questions and ask jobs. */
import type { AskJobStatus, AskRequest } from "@tributary/core/model/Ask"
import type { KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
import type { RefreshRequest } from "@tributary/core/model/KnowledgeStatus"
import type { SearchRequest } from "@tributary/core/model/Search"
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

export interface Waiting extends Pick<CallOptions, "signal"> {
  /** Milliseconds; ten minutes by default. */
  readonly timeout?: number | undefined
}

const WAITING: Names<Waiting> = CALL

export interface WaitingForContext extends Waiting {
  readonly onProgress?: (status: KnowledgeStatus) => void
}

const WAITING_FOR_CONTEXT: Names<WaitingForContext> = { ...WAITING, onProgress: true }

const TEN_MINUTES = 600_000

export const knowledge = ({ api, call, pages, stream }: ConnectedClient) => ({
  settings: (options?: CallOptions): Promise<KnowledgeSettings> => call(api.knowledge.getSettings(), options),
  updateSettings: (patch: KnowledgeSettingsPatch, options?: CallOptions): Promise<KnowledgeSettings> =>
    call(api.knowledge.updateSettings({ payload: omitUndefined(patch) }), options),
  status: (options?: CallOptions): Promise<KnowledgeStatus> => call(api.knowledge.getStatus(), options),
  refresh: (request: RefreshRequest = {}, options?: CallOptions): Promise<RefreshStarted> =>
    call(api.knowledge.refresh({ payload: omitUndefined(request) }), options),
  search: (request: SearchRequest, options?: CallOptions): Promise<SearchAnswer> =>
    call(api.knowledge.search({ payload: omitUndefined(request) }), options),
  /** Every result, page by page, as deep as the service goes. `limit` is the size of a page. */
  searchAll: (request: Omit<SearchRequest, "cursor">, options?: CallOptions): Pages<SearchResult> =>
    pages("results", request, options ?? {}, (payload) => api.knowledge.search({ payload })),
  ask: (request: Omit<AskRequest, "async">, options?: CallOptions): Promise<Answer> =>
    call(Effect.flatMap(api.knowledge.ask({ payload: omitUndefined(request) }), answerOf), options),
  /** The streamed answer: citations, pieces of text, and finally the whole answer. */
  askStream: (request: Omit<AskRequest, "async">, options?: CallOptions): AsyncIterable<AskEvent> =>
    stream(api.knowledge.ask({ payload: omitUndefined(request), responseMode: "response-only" }), askEventOf, options),
  /** Answers with a job, at once; `waitForJob` has its answer. */
  askLater: (request: Omit<AskRequest, "async">, options?: CallOptions): Promise<AskJob> =>
    call(Effect.flatMap(api.knowledge.ask({ payload: { ...omitUndefined(request), async: true } }), jobOf), options),
  jobs: (query: { readonly status?: AskJobStatus } = {}, options: Listing = {}): Pages<AskJob> =>
    pages("jobs", query, options, (query) => api.knowledge.listAskJobs({ query })),
  /** `wait`: seconds, up to 30, in which to wait for the job's end. */
  job: (job_id: string, query: { readonly wait?: number } = {}, options?: CallOptions): Promise<AnsweredAskJob> =>
    call(api.knowledge.getAskJob({ params: { job_id }, query: omitUndefined(query) }), options),
  cancelJob: (job_id: string, options?: CallOptions): Promise<AskJob> =>
    call(api.knowledge.cancelAskJob({ params: { job_id } }), options),
  waitForJob: async (jobId: string, options: Waiting = {}): Promise<AnsweredAskJob> => {
    checkNames(WAITING, options)
    const { signal, timeout = TEN_MINUTES } = options
    return call(withTimeout(untilJobEnds(jobId), timeout), { signal })
  },
  /** Ends once the context is built with the present settings; rejects when the build failed. */
  waitUntilUpToDate: async (options: WaitingForContext = {}): Promise<KnowledgeStatus> => {
    checkNames(WAITING_FOR_CONTEXT, options)
    const { onProgress, signal, timeout = TEN_MINUTES } = options
    return call(withTimeout(untilUpToDate(onProgress), timeout), { signal })
  }
})
