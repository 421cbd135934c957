/** Questions, at once and as jobs. */
import { assert } from "vitest"
import { eventually } from "../support/nodes.ts"
import { narrowingOf } from "./filters.ts"
import { nameOf } from "./Model.ts"
import type { Of } from "./operations.ts"
import { among, versionOf } from "./reads.ts"
import type { FullDocument, Workspace } from "./Workspace.ts"

interface Cited {
  readonly entity: {
    readonly id: string
    readonly external_id: string
    readonly quote: string
    readonly start: number
    readonly end: number
  }
}

interface Answer {
  readonly answered: boolean
  readonly citations: ReadonlyArray<Cited>
  readonly related?: ReadonlyArray<Cited>
}

/** Every quote is in the present text of a document that the question may read. */
const quotesAreSound = async (on: Workspace, answer: Answer, { narrowing, waits }: Of<"ask">) => {
  for (const { entity: { end, id, quote, start } } of [...answer.citations, ...answer.related ?? []]) {
    const stored = on.model.all().find((document) => on.model.documentIds.get(nameOf(document)) === id)
    assert.isDefined(stored, `a quote of a document that does not exist: ${quote.slice(0, 80)}`)
    const { text } = await on.read<FullDocument>("GET", `/v1/documents/${id}`)
    assert.strictEqual(text.slice(start, end), quote)
    assert.isTrue(on.model.isShown(stored!, narrowing), `the question was not about ${nameOf(stored!)}`)
    if (waits) assert.isTrue(on.model.isInContext(stored!), `${nameOf(stored!)} is outside of the range`)
  }
}

export const ask = async (on: Workspace, act: Of<"ask">) => {
  const stored = versionOf(on, act.version)
  if (stored === undefined) return
  if (act.waits) await on.upToDate()
  const body = { query: `What is the code ${stored.word}?`, ...narrowingOf(act.narrowing) }
  const answer = act.isLater ? await askedLater(on, body) : await on.read<Answer>("POST", "/v1/knowledge/ask", body)
  if (answer === null) return
  await quotesAreSound(on, answer, act)
  const isReadable = on.model.having(stored.word).some((document) =>
    on.model.isInContext(document) && on.model.isShown(document, act.narrowing)
  )
  const isQuoted = answer.citations.some(({ entity }) => entity.quote.includes(stored.word))
  if (act.waits) assert.strictEqual(isQuoted, isReadable, `the answer about ${stored.word}`)
}

interface Job {
  readonly job_id: string
  readonly status: string
  readonly result: Answer | null
}

const JOBS = "/v1/knowledge/ask/jobs"

/** Null: without a response. The job may exist. */
const askedLater = async (on: Workspace, body: object): Promise<Answer | null> => {
  const answer = await on.send<Job>("POST", "/v1/knowledge/ask", { ...body, async: true })
  if (answer === null) {
    await on.servers.settled()
    const { jobs } = await on.read<{ readonly jobs: ReadonlyArray<Job> }>("GET", JOBS)
    const unknown = jobs.filter(({ job_id }) => !on.model.jobs.includes(job_id))
    assert.isAtMost(unknown.length, 1, "a question is one job")
    on.model.jobs.push(...unknown.map(({ job_id }) => job_id))
    return null
  }
  assert.strictEqual(answer.status, 202)
  const { job_id } = answer.body
  on.model.jobs.push(job_id)
  const done = await eventually("the question is answered", async () => {
    const job = await on.read<Job>("GET", `${JOBS}/${job_id}?wait=30`)
    assert.include(["queued", "running", "succeeded"], job.status)
    return job.status === "succeeded" && job
  })
  assert.isNotNull(done.result)
  return done.result
}

export const listJobs = async (on: Workspace, { limit }: Pick<Of<"listJobs">, "limit">) => {
  type Page = { readonly jobs: ReadonlyArray<Job>; readonly next_cursor: string | null }
  const pages = await on.list<Page>(JOBS, { limit })
  const all = pages.flatMap(({ jobs }) => jobs)
  assert.deepStrictEqual(all.map(({ job_id }) => job_id), on.model.jobs.toReversed())
  assert.deepStrictEqual(all.filter(({ status }) => status === "failed"), [])
}

/** An answer shows no more of documents that were deleted since. */
export const rereadJob = async (on: Workspace, { pick }: Of<"rereadJob">) => {
  const jobId = among(on.model.jobs.slice(-20), pick)
  if (jobId === undefined) return
  const { result, status } = await on.read<Job>("GET", `${JOBS}/${jobId}?wait=30`)
  if (status !== "succeeded" || result === null) return
  const present = new Set(on.model.documentIds.values())
  for (const { entity } of [...result.citations, ...result.related ?? []]) {
    assert.isTrue(present.has(entity.id), `the answer quotes a deleted document: ${entity.quote.slice(0, 80)}`)
  }
}
