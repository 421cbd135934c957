/** `tributary ingest`: ingests files and folders through a connector, which is created if it does not exist. */
import { type Client, type Ingested, QuotaError, TributaryError } from "@tributary/client"
import * as Effect from "effect/Effect"
import type { Arguments } from "../cli/Command.ts"
import { type File, findFiles, formatOf, type Problem } from "./ingest/Files.ts"
import { jsonItems, textItems, uploads } from "./ingest/items.ts"
import type { ReadProgress } from "./ingest/ReadProgress.ts"
import { ProgressBar } from "../cli/ProgressBar.ts"
import { failed } from "../UsageError.ts"
import { workspaceClient } from "../transport/clients.ts"
import { count, counted, onOneLine } from "../cli/printing.ts"

const DEFAULT_CONNECTOR = "files"

/** The number of skipped files that are listed; JSON lists all. */
const NAMED = 20

const NOTHING = { sent: 0, created: 0, updated: 0, unchanged: 0, rejected: [], oversized: [] } satisfies Ingested

const added = (a: Ingested, b: Ingested): Ingested => ({
  sent: a.sent + b.sent,
  created: a.created + b.created,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
  rejected: [...a.rejected, ...b.rejected],
  oversized: [...a.oversized, ...b.oversized]
})

const documents = (amount: number): string => counted(amount, "document")

const connectorOf = async (client: Client, name: string): Promise<string> => {
  const present = await client.connectors.list({ include_inactive: true })
  const connector = present.find(({ source_name }) => source_name === name) ??
    await client.connectors.create({ name, source_name: name })
  return connector.connector_id
}

const NEEDS_ANOTHER_FILE = new Set([400, 413, 422])

/** Ingests one file. An unreadable file is noted and skipped. */
const upload = async (
  client: Client,
  connectorId: string,
  { path, ...file }: { readonly path: string; readonly external_id: string; readonly file: Blob },
  { problems }: ReadProgress
): Promise<Ingested> => {
  try {
    const { items } = await client.ingest.file(connectorId, file)
    const are = (status: string) => items.filter((item) => item.status === status).length
    return { ...NOTHING, sent: 1, created: are("created"), updated: are("updated"), unchanged: are("unchanged") }
  } catch (error) {
    if (error instanceof QuotaError) return { ...NOTHING, sent: 1, rejected: error.rejected }
    if (!(error instanceof TributaryError) || !NEEDS_ANOTHER_FILE.has(error.status ?? 0)) throw error
    problems.push({ path, problem: error.message })
    return { ...NOTHING, sent: 1 }
  }
}

const push = async (client: Client, connectorId: string, files: ReadonlyArray<File>, reading: ReadProgress) => {
  const bar = new ProgressBar()
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let sum: Ingested = NOTHING
  const leftOut = ({ oversized, rejected }: Ingested) => oversized.length + rejected.length
  const onProgress = (part: Ingested) =>
    bar.show(
      reading.bytesRead / Math.max(1, total),
      `${documents(sum.sent + part.sent)}, ${count(leftOut(sum) + leftOut(part))} rejected`
    )
  try {
    bar.show(0, documents(0))
    sum = added(sum, await client.ingestAll(connectorId, textItems(files, reading), { form: "text", onProgress }))
    if (files.some(({ path }) => formatOf(path) === "json")) {
      sum = added(sum, await client.ingestAll(connectorId, jsonItems(files, reading), { form: "json", onProgress }))
    }
    for await (const file of uploads(files, reading)) {
      sum = added(sum, await upload(client, connectorId, file, reading))
      onProgress(NOTHING)
    }
    return sum
  } finally {
    bar.clear()
  }
}

const textOf = (connector: string, ingested: Ingested, leftOut: ReadonlyArray<Problem>, seconds: number): string => {
  const { created, unchanged, updated } = ingested
  const more = leftOut.length - NAMED
  return [
    `Took in ${documents(created + updated + unchanged)} through "${connector}" in ${seconds.toFixed(1)} s: ` +
    `${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged.`,
    ...leftOut.length === 0 ? [] : [`Left out: ${count(leftOut.length)}`],
    ...leftOut.slice(0, NAMED).map(({ path, problem }) => `  ${onOneLine(path)}: ${problem}`),
    ...more > 0 ? [`  and ${count(more)} more; --json names all`] : []
  ].join("\n")
}

export const ingest = Effect.fnUntraced(function*(args: Arguments) {
  const { files, problems } = findFiles(args.positionals)
  if (files.length === 0) {
    const [first] = problems
    return yield* failed(first === undefined ? "There is nothing to take in." : `${first.path}: ${first.problem}.`)
  }
  const connector = args.value("connector") ?? DEFAULT_CONNECTOR
  const { ask, client } = yield* workspaceClient(args, { patient: true })
  const started = performance.now()
  const reading: ReadProgress = { problems, bytesRead: 0 }
  const connectorId = yield* ask(() => connectorOf(client, connector))
  const ingested = yield* ask(() => push(client, connectorId, files, reading))
  const seconds = (performance.now() - started) / 1_000

  const leftOut: ReadonlyArray<Problem> = [
    ...reading.problems,
    ...ingested.rejected.map(({ external_id, resource }) => ({
      path: external_id,
      problem: `over the plan's ${resource}`
    })),
    ...ingested.oversized.map((path) => ({ path, problem: "too large for any request" }))
  ]
  const { rejected: _rejected, oversized: _oversized, ...sums } = ingested
  return {
    json: { connector, connector_id: connectorId, ...sums, left_out: leftOut, seconds },
    text: textOf(connector, ingested, leftOut, seconds),
    ...(leftOut.length === 0 ? {} : { failure: `${count(leftOut.length)} of the given items could not be ingested.` })
  }
}, Effect.scoped)
