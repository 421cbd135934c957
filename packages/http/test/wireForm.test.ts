import { assert, describe, it } from "@effect/vitest"
import { DocumentId } from "@tributary/core/model/Id"
import { Timestamp } from "@tributary/core/model/Timestamp"
import { Arbitrary, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Api } from "../src/api/Api.ts"
import { ConsoleApi } from "../src/api/ConsoleApi.ts"
import { OperatorApi } from "../src/api/OperatorApi.ts"
import { wireFormOf } from "../src/response/WireForm.ts"

const onWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null")

const answersOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const answers: Array<readonly [name: string, schema: Schema.Codec<unknown>]> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes }) => {
      for (const [status, [schema]] of successes) {
        // Schemas of the wire need no services, which their general type does not say.
        answers.push([`${endpoint.identifier} ${status}`, schema as Schema.Codec<unknown>])
      }
    }
  })
  return answers
}

describe.each([...answersOf(Api), ...answersOf(OperatorApi), ...answersOf(ConsoleApi)])(
  "An answer of %s",
  (_, schema) => {
    it.prop("equals the encoding of its schema", [Arbitrary.schema(schema)], ([answer]) => {
      assert.deepStrictEqual(onWire(wireFormOf(schema)(answer)), onWire(Schema.encodeUnknownSync(schema)(answer)))
    }, { arbitrary: { runs: 10 } })
  }
)

describe("An answer", () => {
  const form = wireFormOf(
    Schema.Struct({
      items: Schema.Array(Schema.Struct({
        id: DocumentId,
        at: Timestamp,
        ends: Schema.optionalKey(Schema.NullOr(Timestamp)),
        by: Schema.Array(Schema.Struct({ name: Schema.String })),
        metadata: Schema.Record(Schema.String, Schema.String)
      }))
    })
  )
  const id = "01a1ffc2-dfd2-75d4-883f-cc01fc2f0be8"
  const at = new Date(0)
  const item = { id, at, by: [], metadata: {} }

  it("omits fields that its schema does not have, at any depth", () => {
    const answer = { secret: 1, items: [{ ...item, by: [{ name: "Ada", secret: 3 }], secret: 2 }] }
    assert.deepStrictEqual(form(answer), {
      items: [{ ...item, at: "1970-01-01T00:00:00.000Z", by: [{ name: "Ada" }] }]
    })
  })

  it("keeps its fields in the order of the schema, without absent ones", () => {
    const answer = { items: [{ metadata: { b: "2", a: "1" }, by: [], ends: null, at, id }, item] }
    assert.strictEqual(
      JSON.stringify(form(answer)),
      `{"items":[{"id":"${id}","at":"1970-01-01T00:00:00.000Z","ends":null,"by":[],"metadata":{"b":"2","a":"1"}},` +
        `{"id":"${id}","at":"1970-01-01T00:00:00.000Z","by":[],"metadata":{}}]}`
    )
  })

  it("throws if a date is no Date", () => {
    assert.throws(() => form({ items: [{ ...item, at: "today" }] }))
  })
})
