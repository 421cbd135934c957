/** Recorded questions. */
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Listing } from "../paging.ts"
import type { Question } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"
import type { NewFeedback } from "../requests/requests.ts"

export const questions = ({ api, call, pages }: ConnectedClient) => ({
  /** The questions of the last 30 days, newest first; with `answered: false`, those without sufficient evidence. */
  list: (query: { readonly answered?: boolean | undefined } = {}, options: Listing = {}): Pages<Question> =>
    pages("questions", query, options, (query) => api.questions.listQuestions({ query: omitUndefined(query) })),
  /** Stores whether an answer was useful, in place of earlier feedback. */
  rate: (question_id: string, feedback: NewFeedback, options?: CallOptions): Promise<Question> =>
    call(api.questions.rateQuestion({ params: { question_id }, payload: omitUndefined(feedback) }), options),
  /** Deletes a question with its feedback. */
  delete: (
    question_id: string,
    options?: CallOptions
  ): Promise<{ readonly status: "deleted"; readonly question_id: string }> =>
    call(api.questions.deleteQuestion({ params: { question_id } }), options),
  /** Deletes all questions of the workspace, or those that were asked `before` a time. Ask jobs stay. */
  deleteAll: (query: { readonly before?: Date | undefined } = {}, options?: CallOptions) =>
    call(api.questions.deleteQuestions({ query: omitUndefined(query) }), options)
})
