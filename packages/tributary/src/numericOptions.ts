/** What the numbers among the options of `open` have to be: the rules of the parts that take them. */
import { RETRY_RULES, TIME_RULES } from "@tributary/client/Policy"
import * as ModelAnswerer from "@tributary/answers/model/ModelAnswerer"
import { CONCURRENCY_RULES } from "@tributary/answers/model/ModelRequests"
import { checkNumbers, numberFrom, type NumberRule } from "@tributary/core/model/NumberRule"
import { SAMPLED_SHARE } from "@tributary/core/ports/TraceSampling"
import * as OpenAiEmbeddings from "@tributary/embeddings/OpenAiEmbeddings"
import * as SegmentFiles from "@tributary/node/SegmentFiles"
import { MAX_CONNECTIONS } from "@tributary/postgres/maxConnections"
import { fieldOf, isObject } from "./rules.ts"

export const NUMBERS = {
  memory: numberFrom(1, Number.MAX_SAFE_INTEGER),
  maxConnections: MAX_CONNECTIONS,
  ...TIME_RULES
}

/** The numbers of options that are objects, by the path of the object. */
const NUMBERS_WITHIN: Readonly<Record<string, Readonly<Record<string, NumberRule>>>> = {
  answers: ModelAnswerer.RULES,
  "answers.concurrency": CONCURRENCY_RULES,
  embeddings: OpenAiEmbeddings.RULES,
  retries: RETRY_RULES,
  segmentCache: SegmentFiles.RULES,
  telemetry: { ratio: SAMPLED_SHARE },
  "ranking.parameters": {
    k1: numberFrom(0, 1_000),
    b: numberFrom(0, 1),
    proximity: numberFrom(0, 1_000),
    feedback: numberFrom(0, 1_000)
  }
}

/** Throws a `TypeError` for the first number out of its range. */
export const checkNumbersIn = (options: object): void => {
  checkNumbers(NUMBERS, options)
  for (const [path, rules] of Object.entries(NUMBERS_WITHIN)) {
    const value = path.split(".").reduce<unknown>(fieldOf, options)
    if (isObject(value)) checkNumbers(rules, value, `${path}.`)
  }
}
