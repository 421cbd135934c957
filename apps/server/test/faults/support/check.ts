/** Invariants after any fault. */
import { assert } from "vitest"
import type { RunningServer } from "../../serverProcess.ts"
import { eventually, start } from "./nodes.ts"
import type { TestStore } from "./stores.ts"
import { COMMON, type Stored, type Tenant, wordOf } from "./Tenant.ts"

interface Status {
  readonly up_to_date: boolean
  readonly pending_documents: number
  readonly state: string
  readonly error: string | null
}

interface Usage {
  readonly entitlements: Readonly<Record<"documents" | "storage", { readonly used: number }>>
}

interface LoggedEvent {
  readonly type: string
  readonly external_id: string
  readonly document_id: string
}

interface AskJobs {
  readonly jobs: ReadonlyArray<{ readonly status: string; readonly job_id: string }>
}

/** The number of words to search for one by one. */
const WORDS = 12

const upToDate = (node: RunningServer, tenant: Tenant) =>
  eventually("the context is up to date", async () => {
    const status = await tenant.ask<Status>(node, "GET", "/v1/knowledge/status")
    assert.notStrictEqual(status.state, "failed", status.error ?? "")
    return status.up_to_date && status.pending_documents === 0 && status.state === "ready"
  })

const eventsOf = async (node: RunningServer, tenant: Tenant): Promise<ReadonlyArray<LoggedEvent>> => {
  type Page = { readonly events: ReadonlyArray<LoggedEvent>; readonly next_cursor: string | null }
  const found: Array<LoggedEvent> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const page: Page = await tenant.ask(node, "GET", `/v1/runtime/events?limit=100${after}`)
    found.push(...page.events)
    cursor = page.next_cursor
  }
  return found
}

const shown = (text: string | null): string => text === null ? "absent" : wordOf(text)

/** Each document equals the last write, or a later one whose answer was lost. */
const nothingLost = async (node: RunningServer, tenant: Tenant, stored: ReadonlyArray<Stored>) => {
  const { ledger } = tenant
  const present = new Set(stored.map(({ external_id }) => external_id))
  assert.strictEqual(present.size, stored.length, "one document for each external id")
  assert.deepStrictEqual([...present].filter((id) => !ledger.ids().includes(id)), [])
  const texts = new Map<string, string>()
  const from = ledger.now()
  for (const id of ledger.ids()) {
    const text = present.has(id) ? await tenant.text(node, id) : null
    const possible = ledger.possible(id, from)
    assert.isTrue(possible.has(text), `${id} is ${shown(text)}, not ${[...possible].map(shown).join(" or ")}`)
    assert.strictEqual(text === null, !present.has(id), `${id} is listed exactly when it can be read`)
    if (text !== null) texts.set(id, text)
    ledger.observed(id, text)
  }
  return texts
}

const evenly = <A>(from: ReadonlyArray<A>): ReadonlyArray<A> =>
  from.filter((_, at) => at % Math.ceil(from.length / WORDS) === 0)

const searchIsExact = async (node: RunningServer, tenant: Tenant, texts: ReadonlyMap<string, string>) => {
  assert.deepStrictEqual((await tenant.search(node, COMMON)).toSorted(), [...texts.keys()].toSorted())
  for (const [id, text] of evenly([...texts])) assert.deepStrictEqual(await tenant.search(node, wordOf(text)), [id])
  const stored = new Set(texts.values())
  for (const text of evenly(tenant.ledger.texts().filter((text) => !stored.has(text)))) {
    assert.deepStrictEqual(await tenant.search(node, wordOf(text)), [], `${wordOf(text)} is nowhere`)
  }
}

/** Read from a running node: what its clients see. */
export const seenBy = async (node: RunningServer, tenant: Tenant): Promise<void> => {
  await upToDate(node, tenant)
  const stored = await tenant.documents(node)
  const texts = await nothingLost(node, tenant, stored)
  await searchIsExact(node, tenant, texts)

  const { entitlements } = await tenant.ask<Usage>(node, "GET", "/v1/usage/current")
  assert.strictEqual(entitlements.documents.used, stored.length)
  assert.strictEqual(entitlements.storage.used, stored.reduce((sum, { size }) => sum + size, 0))

  const alive = new Set<string>()
  for (const { document_id, type } of await eventsOf(node, tenant)) {
    assert.strictEqual(alive.has(document_id), type !== "document.created", `${type} of ${document_id}`)
    if (type === "document.created") alive.add(document_id)
    if (type === "document.deleted") alive.delete(document_id)
  }
  assert.deepStrictEqual([...alive].toSorted(), stored.map(({ document_id }) => document_id).toSorted())

  await eventually("every question is answered", async () => {
    const { jobs } = await tenant.ask<AskJobs>(node, "GET", "/v1/knowledge/ask/jobs?limit=100")
    for (const { job_id, status } of jobs) assert.notStrictEqual(status, "failed", job_id)
    return jobs.every(({ status }) => status === "succeeded" || status === "cancelled")
  })
}

/**
 * The differences between the databases: the rows of documents' texts, their length in bytes, snapshots' segments, and
 * the time.
 */
const DIALECTS = {
  embedded: {
    ofDocument: "k.document = d.id",
    bytes: "length(CAST(k.text AS BLOB))",
    named: "SELECT n.value ->> 'segment_id' FROM snapshots p, json_each(p.segments) n WHERE p.",
    now: "unixepoch('subsec') * 1000"
  },
  postgres: {
    ofDocument: "k.document_id = d.document_id",
    bytes: "octet_length(k.text)",
    named: "SELECT unnest(p.segment_ids) FROM snapshots p WHERE p.",
    now: "now()"
  }
} as const

/** Checks the tables: counters equal counts, and no rows are left over. */
export const rowsAreSound = async ({ kind, query, schema }: TestStore, { workspaceId }: Tenant): Promise<void> => {
  const ours = `workspace_id = '${workspaceId}'`
  const { bytes, named, now, ofDocument } = DIALECTS[kind]
  const latest = (column: string) =>
    `coalesce((SELECT ${column} FROM ${schema}.snapshots WHERE ${ours} ORDER BY position DESC LIMIT 1), 0)`
  const changes = `(SELECT change_seq FROM ${schema}.documents WHERE ${ours}
    UNION ALL SELECT change_seq FROM ${schema}.tombstones WHERE ${ours}) s`
  const [row] = await query(`SELECT
    (SELECT count(*) FROM ${schema}.documents WHERE ${ours}) = c.documents AS documents_are_counted,
    (SELECT coalesce(sum(size), 0) FROM ${schema}.documents WHERE ${ours}) = c.storage AS storage_is_counted,
    (SELECT count(*) = coalesce(max(event_seq), 0) AND count(*) = c.event_seq FROM ${schema}.events WHERE ${ours})
      AS events_have_no_gap,
    (SELECT count(*) = count(DISTINCT change_seq) FROM ${changes}) AS changes_are_in_one_order,
    (SELECT coalesce(max(change_seq), 0) FROM ${changes}) <= c.change_seq AS no_change_is_beyond_the_counter,
    ${latest("change_seq")} = c.change_seq AS everything_is_in_the_snapshot,
    ${latest("generation")} = k.generation AS the_snapshot_is_of_the_present_settings,
    NOT EXISTS (SELECT 1 FROM ${schema}.chunks k LEFT JOIN ${schema}.documents d ON ${ofDocument}
      WHERE d.document_id IS NULL) AS no_chunk_is_left_over,
    NOT EXISTS (SELECT 1 FROM ${schema}.documents d WHERE ${ours} AND text_bytes <> (
      SELECT coalesce(sum(${bytes}), 0) FROM ${schema}.chunks k WHERE ${ofDocument})) AS no_text_is_torn,
    NOT EXISTS (SELECT 1 FROM ${schema}.segments g WHERE ${ours} AND segment_id NOT IN (
      ${named.replace("snapshots", `${schema}.snapshots`)}${ours})) AS no_segment_is_left_over,
    -- Segments are merged a minute after the last change.
    NOT EXISTS (SELECT 1 FROM ${schema}.jobs WHERE ${ours} AND (status = 'running'
      OR (status = 'queued' AND run_at <= ${now}))) AS all_jobs_have_ended,
    NOT EXISTS (SELECT 1 FROM ${schema}.jobs WHERE ${ours} AND status = 'failed') AS no_job_has_failed
    FROM ${schema}.counters c JOIN ${schema}.knowledge k ON k.workspace_id = c.workspace_id
    WHERE c.${ours}`) as ReadonlyArray<Record<string, boolean | number>>
  assert.isDefined(row, "the workspace has its counters")
  assert.deepStrictEqual(Object.entries(row!).filter(([, holds]) => !holds).map(([name]) => name), [])
}

/** Repeats `act` until the condition is true. */
export const becomes = async (
  look: () => Promise<void>,
  between: () => Promise<unknown>,
  patience: number
): Promise<void> => {
  for (;; patience--) {
    try {
      return await look()
    } catch (error) {
      if (patience === 0) throw error
      await between()
    }
  }
}

/** The same while servers run: running work has some time to end. */
export const rowsBecomeSound = (store: TestStore, tenant: Tenant): Promise<void> =>
  becomes(() => rowsAreSound(store, tenant), () => new Promise((resolve) => setTimeout(resolve, 100)), 300)

/** The same after their server has stopped: it releases running jobs, and the next server completes them. */
export const rowsAreSoundAfter = async (server: RunningServer, store: TestStore, tenant: Tenant): Promise<void> => {
  const stop = async (node: RunningServer) => assert.strictEqual(await node.stop(), 0)
  await stop(server)
  await becomes(() => rowsAreSound(store, tenant), async () => {
    const next = await start(store)
    await seenBy(next, tenant)
    await stop(next)
  }, 3)
}
