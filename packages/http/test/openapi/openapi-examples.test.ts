// Every operation has an example, and every example is valid against its schema.
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { openApiDocument, operatorDocument } from "../../src/openapi/OpenApiDocument.ts"
import { at, entries, operations } from "../support/openapi.ts"

const documents = [openApiDocument("https://tributary.test"), operatorDocument("https://tributary.test")]

describe.each(documents)("The examples of %#", (document) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, "document")

  const faults = (schema: unknown, value: unknown): unknown => {
    const pointed = JSON.parse(JSON.stringify(schema).replaceAll("\"#/components", "\"document#/components"))
    const validate = ajv.compile(pointed)
    return validate(value) ? [] : validate.errors
  }

  const checkExample = (media: unknown, place: string) => {
    assert.notStrictEqual(at(media, "example"), undefined, place)
    assert.deepStrictEqual(faults(at(media, "schema"), at(media, "example")), [], place)
  }

  it("cover the request and answer of every operation", () => {
    for (const { definition, name } of operations(document)) {
      const request = at(definition, "requestBody", "content")
      for (const [type, media] of entries(request)) checkExample(media, `${name} ${type}`)
      const successes = entries(at(definition, "responses")).filter(([status]) => Number(status) < 300)
      assert.isNotEmpty(successes, name)
      for (const [status, response] of successes) {
        for (const [type, media] of entries(at(response, "content"))) checkExample(media, `${name} ${status} ${type}`)
      }
    }
  })

  it("cover every error", () => {
    for (const { definition, name } of operations(document)) {
      for (const [status, response] of entries(at(definition, "responses"))) {
        if (Number(status) < 300) continue
        const [media] = entries(at(response, "content")).map(([, media]) => media)
        const named = entries(at(media, "examples"))
        assert.isNotEmpty(named, `${name} ${status}`)
        for (const [code] of named) {
          const value = at(document, "components", "examples", code, "value")
          assert.deepStrictEqual(faults(at(media, "schema"), value), [], `${name} ${status} ${code}`)
        }
      }
    }
  })
})
