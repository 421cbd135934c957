import { historyOf } from "@tributary/core/model/AskHistory"
import type { AskRequest } from "../../api/models.ts"
import { type CallSearch, sentFilters } from "../filters/callSearch.ts"
import type { KeptAnswer } from "./answerHistory.ts"

export const exchangesOf = (answers: ReadonlyArray<KeptAnswer>) =>
  answers.map(({ answer, request: { query } }) => ({ query, answer }))

interface Question {
  readonly query: string
  /** Empty for that of the question. */
  readonly language: string
  /** Its filters; the question of an address is the first one of a conversation. */
  readonly search: CallSearch
  readonly answers?: ReadonlyArray<KeptAnswer>
}

/** The answers before it are sent as history. */
export const askRequest = ({ answers = [], language, query, search }: Question): AskRequest => {
  const history = historyOf(exchangesOf(answers))
  return {
    query,
    ...(history.length === 0 ? {} : { history }),
    ...(language === "" ? {} : { language }),
    ...sentFilters(search)
  }
}
