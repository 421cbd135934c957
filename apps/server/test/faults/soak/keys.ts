/** Keys and tokens: refused at once by every server when they are revoked. */
import { assert } from "vitest"
import { COMMON, type Stored } from "./items.ts"
import { type Key, nameOf } from "./Model.ts"
import type { Narrowing, Of } from "./operations.ts"
import { narrowingOf } from "./filters.ts"
import { among, type DocumentPage, listIsExact, searchIsExact, versionOf } from "./reads.ts"
import type { Workspace } from "./Workspace.ts"

const USAGE = "/v1/usage/current"

/** The answers of all servers that run. */
const statusesOf = async (on: Workspace, secret: string): Promise<ReadonlyArray<number>> => {
  const answers = await Promise.all(on.servers.up().map((node) => on.sendTo(node, "GET", USAGE, undefined, secret)))
  return answers.filter((answer) => answer !== null).map(({ status }) => status)
}

const MAX_KEYS = 4

export const createKey = async (on: Workspace, { isReader }: Of<"createKey">) => {
  if (on.model.keys.length === MAX_KEYS) return
  const answer = await on.admin<{ readonly key_id: string; readonly secret: string }>(
    "POST",
    `/workspaces/${on.tenant.workspaceId}/api-keys`,
    { name: "soak", scopes: isReader ? ["api:read"] : ["api:read", "api:write"] }
  )
  if (answer === null) {
    await on.servers.settled()
    return
  }
  assert.strictEqual(answer.status, 201)
  const { key_id, secret } = answer.body
  on.model.keys.push({ key_id, secret, isReader, tokens: [] })
  for (const status of await statusesOf(on, secret)) assert.strictEqual(status, 200, "of a new key")
  const written = await on.answer("POST", "/v1/knowledge/refresh", {}, secret)
  assert.strictEqual(written.status, isReader ? 403 : 200)
}

export const revokeKey = async (on: Workspace, { pick }: Of<"revokeKey">) => {
  const { keys, revoked } = on.model
  const key = keys[pick % keys.length]
  if (key === undefined) return
  const secrets = [key.secret, ...key.tokens]
  // Known to every server before it is revoked.
  for (const secret of secrets) for (const status of await statusesOf(on, secret)) assert.strictEqual(status, 200)
  const answer = await on.admin("DELETE", `/api-keys/${key.key_id}`)
  if (answer === null) {
    await on.servers.settled()
    if ((await on.answer("GET", USAGE, undefined, key.secret)).status === 200) return
  } else assert.strictEqual(answer.status, 200)
  for (const secret of secrets) {
    for (const status of await statusesOf(on, secret)) assert.strictEqual(status, 401, "of a revoked key")
  }
  keys.splice(keys.indexOf(key), 1)
  revoked.push(key)
}

const MAX_TOKENS = 3

/** Null if there is no response; nothing remains of such a token. */
const newToken = async (on: Workspace, key: Key | undefined, narrowing: Narrowing): Promise<string | null> => {
  const filter = narrowingOf(narrowing)
  const body = { expires_in: 86_400, ...Object.keys(filter).length === 0 ? {} : { filter } }
  const answer = await on.send<{ readonly token: string }>("POST", "/v1/tokens", body, key?.secret ?? on.tenant.key)
  if (answer === null) return null
  assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
  if (key !== undefined && key.tokens.length < MAX_TOKENS) key.tokens.push(answer.body.token)
  return answer.body.token
}

/** What the holder of a narrowed token sees. */
export const createToken = async (on: Workspace, { limit, narrowing, version }: Of<"createToken">) => {
  const token = await newToken(on, among(on.model.keys, version.pick), narrowing)
  if (token === null) return
  const isShown = (document: Stored) => on.model.isShown(document, narrowing)
  const pages = await on.list<DocumentPage>("/v1/documents", { limit }, token)
  listIsExact(on, pages, limit, on.model.all().filter(isShown))
  await searchIsExact(on, COMMON, narrowing, limit, token)
  const stored = versionOf(on, version)
  if (stored === undefined) return
  const id = on.model.documentIds.get(nameOf(stored))
  const present = on.model.get(nameOf(stored))
  if (id === undefined || present === undefined) return
  const { status } = await on.answer("GET", `/v1/documents/${id}`, undefined, token)
  assert.strictEqual(status, isShown(present) ? 200 : 404, "of a document for a token")
}

interface ListedKeys {
  readonly api_keys: ReadonlyArray<
    { readonly key_id: string; readonly name: string; readonly revoked_at: string | null }
  >
}

export const listKeys = async (on: Workspace) => {
  const answer = await on.admin<ListedKeys>("GET", `/workspaces/${on.tenant.workspaceId}/api-keys`)
  if (answer === null) return
  const { keys, revoked } = on.model
  const stateOf = new Map(answer.body.api_keys.map(({ key_id, revoked_at }) => [key_id, revoked_at !== null]))
  for (const { key_id } of keys) assert.isFalse(stateOf.get(key_id), "a key is listed, and not as revoked")
  for (const { key_id } of revoked) assert.isTrue(stateOf.get(key_id), "a revoked key is listed as revoked")
}
