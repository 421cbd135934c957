/** The operations that change something. A write without a response is settled by reading. */
import { assert } from "vitest"
import { eventually } from "../support/nodes.ts"
import { filterOf } from "./filters.ts"
import { daysAgo, type Form, type Stored, storedOf, timeOf, wordOf } from "./items.ts"
import { type Change, nameOf } from "./Model.ts"
import type { Bound, Draft, Of } from "./operations.ts"
import type { Document, Workspace } from "./Workspace.ts"

const PATHS: Readonly<Record<Form, string>> = { json: "/ingest", text: "/ingest/text", typed: "/ingest/typed" }

interface Ingested {
  readonly items: ReadonlyArray<{ readonly status: string; readonly document_id: string }>
}

/** An item of the future is later than those before it: a document that gets such a time is the last of all by time. */
const timed = (draft: Draft, number: number): Draft =>
  draft.age < 0 ? { ...draft, age: draft.age - number / 1_000 } : draft

export const ingest = async (on: Workspace, { connector, form, items }: Of<"ingest">, number: number) => {
  const { model } = on
  const change = new Map<string, Stored>()
  const statuses: Array<string> = []
  const sent = items.map((draft, index) => {
    const name = nameOf({ connector, external_id: draft.id })
    const previous = change.get(name) ?? model.get(name)
    const isRepeated = draft.again && previous?.form === form
    const next = isRepeated
      ? previous
      : storedOf(connector, form, timed(draft, number), wordOf(on.number, number, index))
    statuses.push(isRepeated ? "unchanged" : previous === undefined ? "created" : "updated")
    change.set(name, next)
    return next
  })
  const answer = await on.send<Ingested>("POST", `${on.pathOf(connector)}${PATHS[form]}`, {
    items: sent.map((stored) => stored.sent)
  })
  if (answer === null) return await on.settle(change)
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  assert.deepStrictEqual(answer.body.items.map(({ status }) => status), statuses)
  model.apply(change)
  for (const [at, { document_id }] of answer.body.items.entries()) {
    const name = nameOf(sent[at]!)
    assert.strictEqual(document_id, model.documentIds.get(name) ?? document_id, "a replaced document keeps its id")
    model.documentIds.set(name, document_id)
  }
}

/** Deletes documents by a request that changes all of them or none. */
const removeAll = async <A>(
  on: Workspace,
  documents: ReadonlyArray<Stored>,
  method: string,
  path: string,
  body?: unknown
): Promise<A | null> => {
  const change: Change = on.model.without(documents)
  const answer = await on.send<A>(method, path, body)
  if (answer === null) {
    await on.settle(change)
    return null
  }
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  on.model.apply(change)
  return answer.body
}

export const remove = async (on: Workspace, { by, pick }: Of<"remove">) => {
  const documents = on.model.all()
  const document = documents[pick % documents.length]
  if (document === undefined) return
  const path = by === "document_id"
    ? `/v1/documents/${on.model.documentIds.get(nameOf(document))}`
    : `${on.pathOf(document.connector)}/documents/${document.external_id}`
  await removeAll(on, [document], "DELETE", path)
}

export const removeSome = async (on: Workspace, { connector, ids }: Of<"removeSome">) => {
  const present = ids.map((external_id) => on.model.get(nameOf({ connector, external_id })))
    .filter((stored) => stored !== undefined)
  const answer = await removeAll<{ readonly external_ids: ReadonlyArray<string> }>(
    on,
    present,
    "POST",
    `${on.pathOf(connector)}/documents/delete`,
    { external_ids: ids }
  )
  if (answer !== null) assert.deepStrictEqual(answer.external_ids, present.map(({ external_id }) => external_id))
}

export const removeMatching = async (on: Workspace, { filter, isConfirmed }: Of<"removeMatching">) => {
  if (filter.in_context !== undefined) await on.upToDate()
  const matching = on.model.all().filter((document) => on.model.matches(document, filter))
  const path = "/v1/documents/delete"
  const wrong = { filter: filterOf(on, filter), confirm_total: matching.length + 1 }
  if (!isConfirmed) {
    const { body, status } = await on.answer<{ readonly details: unknown }>("POST", path, wrong)
    assert.strictEqual(status, 409, JSON.stringify(filter))
    assert.deepStrictEqual(body.details, { total: matching.length })
    return
  }
  const ids = matching.map((document) => on.model.documentIds.get(nameOf(document))!)
  const answer = await removeAll<{ readonly document_ids: ReadonlyArray<string> }>(on, matching, "POST", path, {
    ...wrong,
    confirm_total: matching.length
  })
  if (answer !== null) assert.deepStrictEqual(answer.document_ids.toSorted(), ids.toSorted())
}

/** Deletes a connector with its documents, which a job does, and activates it again. */
export const emptyConnector = async (on: Workspace, { connector }: Of<"emptyConnector">) => {
  const path = on.pathOf(connector)
  await on.read("DELETE", `${path}?delete_documents=true`)
  await eventually("the documents of the connector are gone", async () => {
    const { documents } = await on.read<{ readonly documents: ReadonlyArray<Document> }>("GET", `${path}/documents`)
    return documents.length === 0
  })
  on.model.apply(on.model.without(on.model.all().filter((document) => document.connector === connector)))
  const refused = await on.answer("POST", `${path}/ingest/text`, {
    items: [{ external_id: "note-0", text: "refused" }]
  })
  assert.strictEqual(refused.status, 400, "a deactivated connector accepts nothing")
  await on.read("PATCH", path, { is_active: true })
}

const boundOf = (bound: Bound) =>
  bound?.type === "date" ? { type: bound.type, date: timeOf(daysAgo(bound.daysAgo)).slice(0, 10) } : bound

export const setRange = async (on: Workspace, { end, start }: Of<"setRange">) => {
  const settings = {
    temporal_settings: { start: boundOf(start), end: end === null ? null : { type: "relative", days: end } }
  }
  const path = "/v1/knowledge/settings"
  const previous = await on.read<object>("GET", path)
  const answer = await on.send("PATCH", path, settings)
  if (answer === null) {
    await on.servers.settled()
    const now = await on.read<object>("GET", path)
    if (JSON.stringify(now) !== JSON.stringify(settings)) return assert.deepStrictEqual(now, previous)
  } else assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  const back = start === null ? Infinity : start.type === "date" ? start.daysAgo : start.days
  on.model.range = { from: daysAgo(back), to: daysAgo(end === null ? -Infinity : -end) }
}

export const refresh = async (on: Workspace, { isAlone }: Of<"refresh">) => {
  const answer = await on.send("POST", "/v1/knowledge/refresh", { delete_old_snapshots: isAlone })
  if (answer !== null) assert.strictEqual(answer.status, 200)
}
