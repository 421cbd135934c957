/** What is known of a wrong search: its pages, what each server finds now, and where the index has the documents. */
import { COMMON, type Stored } from "./items.ts"
import { nameOf } from "./Model.ts"
import { readSnapshot } from "./snapshot.ts"
import type { Document, Workspace } from "./Workspace.ts"

export const SEARCH = "/v1/knowledge/search"

export interface Found {
  readonly count: number
  readonly results: ReadonlyArray<Pick<Document, "external_id" | "source"> & { readonly id: string }>
  readonly next_cursor: string | null
}

const idsIn = (pages: ReadonlyArray<Found>) => pages.flatMap(({ results }) => results).map(({ id }) => id)

const twiceIn = (ids: ReadonlyArray<string>) => ids.filter((id, at) => ids.indexOf(id) !== at)

/** On one server. */
const foundBy = async (on: Workspace, node: Parameters<Workspace["sendTo"]>[0], q: string) => {
  const pages: Array<Found> = []
  for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)!.next_cursor) {
    const answer = await on.sendTo<Found>(node, "POST", SEARCH, { q, limit: 100, cursor })
    if (answer === null) break
    pages.push(answer.body)
  }
  return pages
}

/** The requests say which server answered each page. */
export const searchReport = async (
  on: Workspace,
  q: string,
  pages: ReadonlyArray<Found>,
  expected: ReadonlyArray<Stored>
): Promise<ReadonlyArray<string>> => {
  const { servers, tenant: { workspaceId } } = on
  const { change_seq, versions } = await readSnapshot(servers.store, workspaceId)
  const isIn = (ids: ReadonlyArray<string>) => (id: string) => ids.includes(id)
  const wanted = expected.map((document) => on.model.documentIds.get(nameOf(document))!)
  const ids = idsIn(pages)
  const wrong = new Set([
    ...twiceIn(ids),
    ...wanted.filter((id) => !isIn(ids)(id)),
    ...ids.filter((id) => !isIn(wanted)(id))
  ])
  const pageOf = ({ results }: Found) => results.map(({ id }) => id).filter((id) => wrong.has(id)).join(", ")
  const lines = pages.map((page, at) => `page ${at}: ${page.count} results, among them ${pageOf(page)}`)
  for (const node of servers.up()) {
    const now = idsIn(await foundBy(on, node, q))
    lines.push(
      `${servers.nameOf(node)} finds ${now.length} for ${q === COMMON ? "all" : q}, twice: ${twiceIn(now).join(", ")}`
    )
  }
  lines.push(`the snapshot is as of change ${change_seq}`)
  for (const id of wrong) {
    const [stored] = await servers.store.query<{ readonly version: number }>(
      `SELECT CAST(change_seq AS DOUBLE PRECISION) AS version FROM ${servers.store.schema}.documents WHERE document_id = '${id}'`
    )
    const found = versions.filter(({ document_id }) => document_id === id)
      .map(({ isMasked, segment_id, version }) => `${isMasked ? "masked " : ""}${version} in ${segment_id}`)
    lines.push(`${id}: version ${stored?.version ?? "none"} is stored, the snapshot has ${found.join(", ") || "none"}`)
  }
  return lines
}
