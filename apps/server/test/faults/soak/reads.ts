/** The operations that read. The answers must be exactly those of the model. */
import { assert } from "vitest"
import { filterOf, narrowingOf } from "./filters.ts"
import { COMMON, type Stored } from "./items.ts"
import { nameOf } from "./Model.ts"
import type { Narrowing, Of, Version } from "./operations.ts"
import { type Found, SEARCH, searchReport } from "./searchReport.ts"
import type { Document, FullDocument, Workspace } from "./Workspace.ts"

export const among = <A>(list: ReadonlyArray<A>, pick: number): A | undefined => list[pick % list.length]

/** Also of a version that this workspace never had, or no longer has. */
export const versionOf = (on: Workspace, { of, pick }: Version): Stored | undefined => {
  if (of === "present") return among(on.model.all(), pick)
  // What has just changed is where stale copies show.
  if (of === "former") return among(pick % 2 === 0 ? on.model.former() : on.model.former().slice(-5), pick >> 1)
  return among(on.others.filter((other) => other !== on).flatMap(({ model }) => model.all()), pick)
}

const names = (documents: ReadonlyArray<Stored>): ReadonlyArray<string> => documents.map(nameOf).toSorted()

const seenNames = (documents: ReadonlyArray<{ readonly source: string; readonly external_id: string }>) =>
  documents.map(({ external_id, source }) => nameOf({ connector: source.replace("custom:", ""), external_id }))
    .toSorted()

/** No document took a place without being shown. */
const pagesAreFull = (pages: ReadonlyArray<ReadonlyArray<unknown>>, limit: number): void => {
  for (const page of pages.slice(0, -1)) assert.lengthOf(page, limit)
}

const searched = (on: Workspace, q: string, narrowing: Narrowing, limit: number, token?: string) =>
  on.pages((cursor) =>
    on.read<Found>("POST", SEARCH, {
      q,
      limit,
      ...narrowingOf(narrowing),
      ...cursor === null ? {} : { cursor }
    }, token)
  )

/** All documents with the word that the narrowing shows, each once. */
export const searchIsExact = async (
  on: Workspace,
  word: string,
  narrowing: Narrowing,
  limit: number,
  token?: string
) => {
  const pages = await searched(on, word, token === undefined ? narrowing : {}, limit, token)
  const expected = on.model.having(word).filter((document) => on.model.isShown(document, narrowing))
  try {
    assert.deepStrictEqual(seenNames(pages.flatMap(({ results }) => results)), names(expected), `search for ${word}`)
    pagesAreFull(pages.map(({ results }) => results), limit)
  } catch (cause) {
    throw new Error([cause, ...await searchReport(on, word, pages, expected)].join("\n"), { cause })
  }
}

export const search = async (on: Workspace, { narrowing, version }: Of<"search">) => {
  const stored = versionOf(on, version)
  if (stored !== undefined) await searchIsExact(on, stored.word, narrowing, 10)
}

export const searchAll = (on: Workspace, { limit, narrowing }: Of<"searchAll">) =>
  searchIsExact(on, COMMON, narrowing, limit)

export interface DocumentPage {
  readonly documents: ReadonlyArray<Document>
  readonly total?: number
  readonly next_cursor: string | null
}

/** Each expected document once, as it is stored. */
export const listIsExact = (
  on: Workspace,
  pages: ReadonlyArray<DocumentPage>,
  limit: number,
  expected: ReadonlyArray<Stored>
) => {
  pagesAreFull(pages.map((page) => page.documents), limit)
  const documents = pages.flatMap((page) => page.documents)
  assert.deepStrictEqual(seenNames(documents), names(expected))
  for (const document of documents) {
    on.check(document, on.model.get(seenNames([document])[0]!)!)
  }
  return documents
}

const KEYS: Readonly<Record<Of<"list">["sort"], (document: Document) => string | number>> = {
  timestamp: ({ timestamp }) => timestamp,
  updated_at: ({ updated_at }) => updated_at,
  title: ({ external_id, title }) => (title ?? external_id).toLowerCase(),
  size: ({ size }) => size
}

export const list = async (on: Workspace, { filter, isDescending, limit, sort }: Of<"list">) => {
  const isOfContext = filter.in_context !== undefined
  if (isOfContext) await on.upToDate()
  const order = `${isDescending ? "-" : ""}${sort}`
  const pages = await on.list<DocumentPage>("/v1/documents", { ...filterOf(on, filter), limit, sort: order })
  const expected = on.model.all().filter((document) => on.model.matches(document, filter))
  const documents = listIsExact(on, pages, limit, expected)
  for (const { total } of pages) assert.strictEqual(total, expected.length)
  if (isOfContext) { for (const { in_context } of documents) assert.strictEqual(in_context, filter.in_context) }
  const keys = documents.map(KEYS[sort])
  const isInOrder = keys.every((key, at) => at === 0 || (isDescending ? keys[at - 1]! >= key : keys[at - 1]! <= key))
  assert.isTrue(isInOrder, `in the order of ${order}: ${keys.join(", ")}`)
}

export const listConnector = async (on: Workspace, { connector, limit }: Omit<Of<"listConnector">, "type">) => {
  const pages = await on.list<DocumentPage>(`${on.pathOf(connector)}/documents`, { limit })
  listIsExact(on, pages, limit, on.model.all().filter((document) => document.connector === connector))
}

/** Also of a version that was replaced: the present one, if any. */
export const read = async (on: Workspace, { by, version }: Of<"read">) => {
  const stored = versionOf(on, version)
  if (stored === undefined) return
  if (version.of === "stranger") {
    const [other] = on.others.filter(({ model }) => model.get(nameOf(stored)) === stored)
    const id = other?.model.documentIds.get(nameOf(stored))
    if (id !== undefined) assert.strictEqual((await on.answer("GET", `/v1/documents/${id}`)).status, 404)
    return
  }
  const present = on.model.get(nameOf(stored))
  const document = by === "document_id" && present !== undefined
    ? await on.read<FullDocument>("GET", `/v1/documents/${on.model.documentIds.get(nameOf(stored))}`)
    : await on.find(stored)
  assert.strictEqual(document === undefined, present === undefined, `${nameOf(stored)} exists`)
  if (document === undefined || present === undefined) return
  on.check(document, present)
  on.checkText(document, present)
}

export const usage = async (on: Workspace) => {
  const { entitlements } = await on.read<
    { readonly entitlements: Readonly<Record<"documents" | "storage", { readonly used: number }>> }
  >("GET", "/v1/usage/current")
  assert.deepStrictEqual(
    { documents: entitlements.documents.used, storage: entitlements.storage.used },
    { documents: on.model.all().length, storage: on.model.all().reduce((sum, { size }) => sum + size, 0) }
  )
}
