/** The history of an ask: the conversation before it, within the limits of the interface. */

export const MAX_TURNS = 10
/** In code points, of all turns together. */
export const MAX_HISTORY = 8_000

export interface Turn {
  readonly role: "user" | "assistant"
  readonly text: string
}

export interface Exchange {
  readonly query: string
  readonly answer: {
    readonly response: string
    readonly model: string
    readonly warnings?: ReadonlyArray<string> | undefined
  }
}

/** The `model` of an answer that no language model wrote. */
export const EXTRACTIVE = "extractive"

/** Whether a language model was asked. One that failed is named in the warnings, and may answer the next question. */
export const askedModel = ({ model, warnings = [] }: Exchange["answer"]): boolean =>
  model !== EXTRACTIVE || warnings.some((warning) => warning.startsWith("model: "))

/** Only a language model reads a history. */
export const hasModel = (exchanges: ReadonlyArray<Exchange>): boolean =>
  exchanges.some(({ answer }) => askedModel(answer))

/**
 * The latest exchanges that fit, oldest first; none without a language model. If the latest one does not
 * fit by itself, its answer is cut.
 */
export const historyOf = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Turn> => {
  if (!hasModel(exchanges)) return []
  const turns: Array<Turn> = []
  let left = MAX_HISTORY
  const answered = exchanges.filter(({ answer }) => answer.response !== "").slice(-MAX_TURNS / 2)
  for (const { answer, query } of answered.toReversed()) {
    left -= Array.from(query).length
    const response = Array.from(answer.response)
    if (response.length > left && turns.length > 0) break
    turns.unshift({ role: "user", text: query }, { role: "assistant", text: response.slice(0, left).join("") })
    left -= response.length
  }
  return turns
}
