/** The contract of `OperatorStore`. */
import { assert } from "@effect/vitest"
import { OperatorId } from "@tributary/core/model/Id"
import type { Operator } from "@tributary/core/model/Operator"
import { OperatorStore } from "@tributary/core/ports/OperatorStore"
import { Effect, Option } from "effect"
import { anyText } from "./internal/anyText.ts"
import { moment, newUuid } from "./internal/fixtures.ts"
import { type PeopleKit, RUNS } from "./internal/Kit.ts"

const newHash = (): string => (newUuid() + newUuid()).replaceAll("-", "")

const newOperator = (fields?: Partial<Operator>): Operator => ({
  operator_id: OperatorId.make(newUuid()),
  name: "Ada",
  hint: "x9Qa",
  scopes: ["operator:read", "operator:write"],
  created_at: moment(),
  expires_at: null,
  ...fields
})

/** The log is shared with what was written before. */
const end = Effect.gen(function*() {
  const { lastLink } = yield* OperatorStore
  return Option.match(yield* lastLink, { onNone: () => 0, onSome: ({ sequence }) => sequence })
})

export const operatorStoreContract = (it: PeopleKit): void => {
  it.effect.prop(
    "finds an operator by the hash of its token, as it was written",
    [anyText],
    ([name]) =>
      Effect.gen(function*() {
        const store = yield* OperatorStore
        const [operator, hash] = [newOperator({ name, expires_at: moment(5) }), newHash()]
        yield* store.insert(operator, hash)
        assert.deepStrictEqual(yield* store.find(hash), Option.some(operator))
        assert.deepStrictEqual(yield* store.find(newHash()), Option.none())
        yield* store.remove(operator.operator_id)
      }),
    RUNS
  )

  it.effect("lists operators by id up to a limit, and deletes them", () =>
    Effect.gen(function*() {
      const store = yield* OperatorStore
      const [one, two] = [newOperator(), newOperator()]
      const hash = newHash()
      yield* store.insert(two, newHash())
      yield* store.insert(one, hash)
      const ids = (yield* store.list(1_000)).map(({ operator_id }) => operator_id)
      assert.deepStrictEqual(ids, ids.toSorted().toReversed())
      assert.includeMembers(ids, [one.operator_id, two.operator_id])
      assert.lengthOf(yield* store.list(1), 1)
      assert.deepStrictEqual(yield* store.remove(one.operator_id), Option.some(one))
      assert.deepStrictEqual(yield* store.remove(one.operator_id), Option.none())
      assert.deepStrictEqual(yield* store.find(hash), Option.none())
      assert.notInclude((yield* store.list(1_000)).map(({ operator_id }) => operator_id), one.operator_id)
      yield* store.remove(two.operator_id)
    }))

  it.effect.prop(
    "returns the log entries byte for byte, in their order",
    [anyText, anyText],
    (texts) =>
      Effect.gen(function*() {
        const store = yield* OperatorStore
        const before = yield* end
        const links = texts.map((content, index) => ({ sequence: before + index + 1, content, hash: newHash() }))
        for (const link of links) assert.isTrue(yield* store.append(link))
        assert.deepStrictEqual(yield* store.links(before, 9), links)
        assert.deepStrictEqual(yield* store.links(before, 1), links.slice(0, 1))
        assert.deepStrictEqual(yield* store.links(before + 1, 9), links.slice(1))
        assert.deepStrictEqual(yield* store.lastLink, Option.some(links[1]!))
      }),
    RUNS
  )

  it.effect("writes one of many concurrent entries after the same one", () =>
    Effect.gen(function*() {
      const store = yield* OperatorStore
      const sequence = (yield* end) + 1
      const links = Array.from({ length: 20 }, (_, n) => ({ sequence, content: `entry ${n}`, hash: newHash() }))
      const written = yield* Effect.forEach(links, store.append, { concurrency: "unbounded" })
      assert.lengthOf(written.filter((one) => one), 1)
      assert.deepStrictEqual(yield* store.links(sequence - 1, 9), [links[written.indexOf(true)]!])
    }))
}
