// Writes the OpenAPI documents to docs/: `npm run openapi`. With --check it writes nothing; it checks them with a linter
// and with the clients that two generators make of them.

import { createConfig, lintFromString } from "@redocly/openapi-core"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generateClients, typeChecks } from "./generatedClients.ts"
import { openApiDocument, operatorDocument } from "../packages/http/src/openapi/OpenApiDocument.ts"

// The default address of a server.
const BASE_URL = "http://127.0.0.1:8787"

const documents = [
  { file: "docs/openapi.json", document: openApiDocument(BASE_URL) },
  { file: "docs/openapi-operator.json", document: operatorDocument(BASE_URL) }
].map(({ document, file }) => ({ file, text: `${JSON.stringify(document, null, 2)}\n` }))

/** The findings of the linter. */
const lint = async (file: string, text: string): Promise<ReadonlyArray<string>> => {
  const config = await createConfig({ extends: ["recommended-strict"] })
  const problems = await lintFromString({ source: text, absoluteRef: join(process.cwd(), file), config })
  return problems.map(({ location: [place], message, ruleId }) => `${file}: ${ruleId} at ${place?.pointer}: ${message}`)
}

/** Whether the generated TypeScript compiles. */
const clientsTypeCheck = async ({ text }: typeof documents[number]): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-openapi-"))
  try {
    await generateClients(text, folder)
    return typeChecks(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv.includes("--check")) {
  const stale = documents.filter(({ file, text }) => readFileSync(file, "utf8") !== text)
  for (const { file } of stale) console.error(`${file} is not what the definition says: npm run openapi`)
  const problems = (await Promise.all(documents.map(({ file, text }) => lint(file, text)))).flat()
  for (const problem of problems) console.error(problem)
  const usable = await Promise.all(documents.map(clientsTypeCheck))
  process.exitCode = stale.length === 0 && problems.length === 0 && usable.every(Boolean) ? 0 : 1
} else {
  for (const { file, text } of documents) writeFileSync(file, text)
}
