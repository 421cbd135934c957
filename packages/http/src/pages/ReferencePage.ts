/** The API reference at `/docs`, generated from the OpenAPI document. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { escaped, inline, page, prose } from "./Html.ts"
import { isObject, type Json, type JsonObject, objectAt } from "../openapi/Json.ts"
import { fieldsOf, summaryOf } from "../openapi/SchemaText.ts"

interface Operation {
  readonly method: string
  readonly path: string
  readonly definition: JsonObject
}

const operationsOf = (document: JsonObject): ReadonlyArray<Operation> =>
  Object.entries(objectAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(item as JsonObject).map(([method, definition]) => ({
      method: method.toUpperCase(),
      path,
      definition: definition as JsonObject
    }))
  )

const example = (value: Json | undefined): string =>
  value === undefined
    ? ""
    : `<pre>${escaped(typeof value === "string" ? value : JSON.stringify(value, null, 2))}</pre>`

/** Resolves a reference to the components. */
const resolved = (document: JsonObject, value: JsonObject): JsonObject => {
  const pointer = value["$ref"]
  if (typeof pointer !== "string") return value
  const [kind = "", name = ""] = pointer.split("/").slice(2)
  return objectAt(objectAt(objectAt(document, "components"), kind), name)
}

const parameters = (document: JsonObject, definition: JsonObject): string => {
  const rows = ((definition["parameters"] ?? []) as ReadonlyArray<JsonObject>).map((given) => {
    const parameter = resolved(document, given)
    return `<tr><td><code>${escaped(String(parameter["name"]))}</code></td><td>${
      escaped(String(parameter["in"]))
    }</td><td>${summaryOf(objectAt(parameter, "schema"))}<br>${inline(String(parameter["description"]))}</td></tr>`
  })
  return rows.length === 0 ? "" : `<h4>Parameters</h4>\n<table>\n${rows.join("\n")}\n</table>`
}

const bodies = (content: JsonObject): string =>
  Object.entries(content).map(([type, media]) => {
    const { example: shown, schema } = media as JsonObject
    return `<p><code>${escaped(type)}</code>: ${isObject(schema) ? summaryOf(schema) : ""}</p>\n${example(shown)}`
  }).join("\n")

const request = ({ requestBody }: JsonObject): string =>
  isObject(requestBody) ? `<h4>Body</h4>\n${bodies(objectAt(requestBody, "content"))}` : ""

const headers = (response: JsonObject): string =>
  Object.keys(objectAt(response, "headers")).map((name) => `<code>${escaped(name)}</code>`).join(", ")

const responses = (definition: JsonObject): string => {
  const all = Object.entries(objectAt(definition, "responses")) as ReadonlyArray<readonly [string, JsonObject]>
  const rows = all.map(([status, response]) =>
    `<tr><td>${escaped(status)}</td><td>${inline(String(response["description"]))}</td><td>${
      headers(response)
    }</td></tr>`
  )
  const answers = all.filter(([status]) => Number(status) < 300)
    .map(([status, response]) => `<h4>Answer ${escaped(status)}</h4>\n${bodies(objectAt(response, "content"))}`)
  return [...answers, `<h4>Statuses</h4>\n<table>\n${rows.join("\n")}\n</table>`].join("\n")
}

const section = (document: JsonObject, { definition, method, path }: Operation): string => {
  const id = escaped(String(definition["operationId"]))
  return `<section id="${id}">
<h3>${escaped(String(definition["summary"]))}</h3>
<p><code>${method} ${escaped(path)}</code></p>
${prose(String(definition["description"]))}
${parameters(document, definition)}
${request(definition)}
${responses(definition)}
</section>`
}

const tagged = (operations: ReadonlyArray<Operation>, tag: JsonObject): ReadonlyArray<Operation> =>
  operations.filter(({ definition }) => (definition["tags"] as ReadonlyArray<Json>).includes(tag["name"]!))

const contents = (tags: ReadonlyArray<JsonObject>, operations: ReadonlyArray<Operation>): string =>
  tags.map((tag) =>
    `<p>${inline(String(tag["description"]))}</p>\n<ul>\n${
      tagged(operations, tag).map(({ definition, method, path }) =>
        `<li><a href="#${escaped(String(definition["operationId"]))}">${
          escaped(String(definition["summary"]))
        }</a> <code>${method} ${escaped(path)}</code></li>`
      ).join("\n")
    }\n</ul>`
  ).join("\n")

const schemas = (document: JsonObject): string =>
  Object.entries(objectAt(objectAt(document, "components"), "schemas")).map(([name, schema]) =>
    `<section id="schema-${escaped(name)}">\n<h3>${escaped(name)}</h3>\n${fieldsOf(schema as JsonObject)}\n</section>`
  ).join("\n")

export const referencePage = (document: JsonObject): HttpServerResponse.HttpServerResponse => {
  const info = objectAt(document, "info")
  const operations = operationsOf(document)
  const tags = document["tags"] as ReadonlyArray<JsonObject>
  return page(
    String(info["title"]),
    `<h1>${escaped(String(info["title"]))} ${escaped(String(info["version"]))}</h1>
${prose(String(info["description"]))}
<p>For programs: <a href="openapi.json">openapi.json</a>.</p>
<nav>\n${contents(tags, operations)}\n</nav>
<h2>Operations</h2>
${tags.flatMap((tag) => tagged(operations, tag)).map((operation) => section(document, operation)).join("\n")}
<h2>Schemas</h2>
${schemas(document)}`
  )
}
