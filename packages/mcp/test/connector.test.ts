import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { connectorPath } from "../src/tools/connector.ts"
import { answering, connector, CONNECTORS } from "./support/publicApi.ts"

const found = (name: string, answer: unknown) =>
  Effect.map(answering({ [CONNECTORS]: answer })(connectorPath(name)), ({ result }) => result)

it.effect("a deactivated connector is found by its name, but not suggested", () =>
  Effect.gen(function*() {
    const all = [connector(1), connector(2, false)]
    assert.deepStrictEqual(
      yield* found("custom:wiki-2", all),
      Result.succeed(`${CONNECTORS}/${connector(2).connector_id}`)
    )
    const refused = Result.getOrThrow(Result.flip(yield* found("wiki-3", all)))
    assert.include(refused.sentence, "There are: wiki-1.")
  }))

it.effect("why connectors cannot be listed is said as it is", () =>
  Effect.gen(function*() {
    const refused = Result.getOrThrow(Result.flip(yield* found("wiki-1", "rate_limited")))
    assert.strictEqual(refused.code, "rate_limited")
  }))
