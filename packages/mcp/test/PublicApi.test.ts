import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as PublicApi from "../src/PublicApi.ts"
import { answering, DOCUMENTS } from "./support/publicApi.ts"

it.effect("names of metadata are read as they were sent, where JSON.parse takes one for an earlier one", () =>
  Effect.gen(function*() {
    const answer = { documents: [{ team: "a", "\\": "1" }, { team: "b", "\"": "2" }].map((metadata) => ({ metadata })) }
    const { result } = yield* answering({ [DOCUMENTS]: answer })(PublicApi.get(DOCUMENTS))
    assert.deepStrictEqual(result, Result.succeed(answer))
  }))
