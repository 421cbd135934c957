/** What a process that admitted batches was answered, and whether a database holds it. */
import type { DatabaseSync } from "node:sqlite"

export const LANES = 4
const ITEMS = 4

const ids = (count: number, name: (at: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => name(at))

/** Items that only this batch has. */
export const newIds = (lane: number, batch: number) => ids(ITEMS, (at) => `${lane}-${batch}-${at}`)

/** Items that every batch of the lane replaces. */
export const replacedIds = (lane: number) => ids(ITEMS, (at) => `${lane}-same-${at}`)

export interface Answers {
  readonly workspaceId: string
  readonly connectorId: string
  /** The answered batches, as lane and number. */
  readonly batches: ReadonlyArray<readonly [lane: number, batch: number]>
}

/** Null before the workspace was there. A line without its end was not answered. */
export const readAnswers = (text: string): Answers | null => {
  const [first, ...lines] = text.split("\n").slice(0, -1)
  if (first === undefined) return null
  const [workspaceId = "", connectorId = ""] = first.split(" ")
  const batches = lines.map((line) => line.split(" ").map(Number)).map(([lane = 0, batch = 0]) =>
    [lane, batch] as const
  )
  return { workspaceId, connectorId, batches }
}

/** Whatever else is there, it agrees with the counters. */
const inexact = (database: DatabaseSync, workspaceId: string): ReadonlyArray<string> => {
  const row = database.prepare(
    `SELECT (SELECT count(*) FROM documents WHERE workspace_id = ?1) = c.documents AS documents,
      (SELECT coalesce(sum(size), 0) FROM documents WHERE workspace_id = ?1) = c.storage AS storage,
      (SELECT coalesce(max(change_seq), 0) FROM documents WHERE workspace_id = ?1) = c.change_seq AS changes,
      (SELECT count(*) = coalesce(max(event_seq), 0) AND count(*) = c.event_seq
        FROM events WHERE workspace_id = ?1) AS events,
      c.documents % ?2 = 0 AS batches,
      NOT EXISTS (SELECT 1 FROM chunks WHERE document NOT IN (SELECT id FROM documents)) AS chunks
      FROM counters c WHERE c.workspace_id = ?1`
  ).get(workspaceId, ITEMS)
  return row === undefined
    ? ["the workspace is lost"]
    : Object.entries(row).filter(([, holds]) => holds !== 1).map(([name]) => `${name} do not add up`)
}

/** An empty list when all that was answered is there. */
export const problemsOf = (database: DatabaseSync, { batches, connectorId, workspaceId }: Answers) => {
  const find = database.prepare("SELECT title FROM documents WHERE connector_id = ? AND external_id = ?")
  const problems = [...inexact(database, workspaceId)]
  const last = new Map<number, number>()
  for (const [lane, batch] of batches) {
    last.set(lane, batch)
    for (const id of newIds(lane, batch)) if (find.get(connectorId, id) === undefined) problems.push(`${id} is lost`)
  }
  for (const [lane, batch] of last) {
    for (const id of replacedIds(lane)) {
      const title = find.get(connectorId, id)?.["title"] ?? -1
      if (Number(title) < batch) problems.push(`${id} is of batch ${title}, not ${batch}`)
    }
  }
  return problems
}

export const damageOf = (database: DatabaseSync): ReadonlyArray<string> =>
  database.prepare("PRAGMA integrity_check").all()
    .map((row) => String(row["integrity_check"])).filter((line) => line !== "ok")
