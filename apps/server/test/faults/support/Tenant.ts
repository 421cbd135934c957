/** A workspace on servers under test, whose clients record their writes in a ledger. */
import { assert } from "vitest"
import type { RunningServer } from "../../serverProcess.ts"
import { Ledger } from "./Ledger.ts"
import { ADMIN_TOKEN } from "./nodes.ts"

type Node = Pick<RunningServer, "url">

/** Status 0: no response. */
export interface Answer<A> {
  readonly status: number
  readonly headers: Headers
  readonly body: A
}

/** The timeout of a request during any fault. */
const HANGS = 60_000

export const request = async <A>(
  { url }: Node,
  token: string,
  method: string,
  path: string,
  body?: unknown
): Promise<Answer<A>> => {
  const signal = AbortSignal.timeout(HANGS)
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, headers: response.headers, body: await response.json() as A }
  } catch (error) {
    if (signal.aborted) throw new Error(`${method} ${path} hangs`, { cause: error })
    return { status: 0, headers: new Headers(), body: undefined as A }
  }
}

/** Repeats a request until there is a response, for reads and idempotent writes. */
const answered = async <A>(node: Node, token: string, method: string, path: string, body?: unknown): Promise<A> => {
  const answer = await request<A>(node, token, method, path, body)
  if (answer.status >= 200 && answer.status < 300) return answer.body
  throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

let words = 0

/** A unique word that no stemmer changes. */
const newWord = (): string =>
  `q${[...String(1_000_000 + ++words)].map((digit) => "bcdfghjklm"[Number(digit)]).join("")}x`

/** A word that only texts contain, and all of them. */
export const COMMON = "zzledgerzz"

export const newText = (length = 0): string => `${newWord()} ${COMMON} ${"filler ".repeat(length)}`.trim()

export const wordOf = (text: string): string => text.slice(0, text.indexOf(" "))

export interface Stored {
  readonly document_id: string
  readonly external_id: string
  readonly size: number
  readonly in_context: boolean
}

interface Ingested {
  readonly items: ReadonlyArray<{ readonly external_id: string; readonly status: string }>
}

export class Tenant {
  readonly workspaceId: string
  readonly key: string
  readonly connectorId: string
  readonly ledger = new Ledger()

  constructor(workspaceId: string, key: string, connectorId: string) {
    this.workspaceId = workspaceId
    this.key = key
    this.connectorId = connectorId
  }

  static async open(node: Node, limits: object = {}): Promise<Tenant> {
    const asOperator = <A>(method: string, path: string, body: unknown) =>
      answered<A>(node, ADMIN_TOKEN, method, `/admin/v1${path}`, body)
    const { personal_workspace: { workspace_id } } = await asOperator<
      { readonly personal_workspace: { readonly workspace_id: string } }
    >("POST", "/accounts", { name: "Under test", tier: "pro" })
    const { secret } = await asOperator<{ readonly secret: string }>(
      "POST",
      `/workspaces/${workspace_id}/api-keys`,
      { name: "test", scopes: ["api:read", "api:write"] }
    )
    await asOperator("PATCH", `/workspaces/${workspace_id}`, { limits })
    const { connector_id } = await answered<{ readonly connector_id: string }>(
      node,
      secret,
      "POST",
      "/v1/custom-connectors",
      { name: "Notes", source_name: "notes" }
    )
    return new Tenant(workspace_id, secret, connector_id)
  }

  ask<A>(node: Node, method: string, path: string, body?: unknown): Promise<A> {
    return answered<A>(node, this.key, method, path, body)
  }

  send<A>(node: Node, method: string, path: string, body?: unknown): Promise<Answer<A>> {
    return request<A>(node, this.key, method, path, body)
  }

  /** Sends texts by external id, each as one item. */
  async ingest(node: Node, texts: ReadonlyMap<string, string>): Promise<Answer<Ingested>> {
    const write = this.ledger.begin(texts)
    const items = [...texts].map(([external_id, text]) => ({ external_id, text }))
    const answer = await this.send<Ingested>(node, "POST", `/v1/custom-connectors/${this.connectorId}/ingest/text`, {
      items
    })
    if (answer.status === 200) {
      for (const { external_id, status } of answer.body.items) {
        if (status === "rejected") write.refused(external_id)
      }
      write.done()
    }
    if (answer.status >= 400 && answer.status < 500) { for (const id of texts.keys()) write.refused(id) }
    return answer
  }

  async remove(node: Node, external_ids: ReadonlyArray<string>): Promise<Answer<unknown>> {
    const write = this.ledger.begin(new Map(external_ids.map((id) => [id, null])))
    const answer = await this.send(node, "POST", `/v1/custom-connectors/${this.connectorId}/documents/delete`, {
      external_ids
    })
    if (answer.status === 200) write.done()
    return answer
  }

  configure(node: Node, days: number): Promise<Answer<unknown>> {
    return this.send(node, "PATCH", "/v1/knowledge/settings", {
      temporal_settings: { start: { type: "relative", days }, end: null }
    })
  }

  async documents(node: Node): Promise<ReadonlyArray<Stored>> {
    type Page = { readonly documents: ReadonlyArray<Stored>; readonly next_cursor: string | null }
    const found: Array<Stored> = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const page: Page = await this.ask(
        node,
        "GET",
        `/v1/custom-connectors/${this.connectorId}/documents?limit=100${after}`
      )
      found.push(...page.documents)
      cursor = page.next_cursor
    }
    return found
  }

  async text(node: Node, externalId: string): Promise<string | null> {
    const path = `/v1/custom-connectors/${this.connectorId}/documents/${encodeURIComponent(externalId)}`
    const { body, status } = await this.send<{ readonly text: string }>(node, "GET", path)
    if (status === 404) return null
    assert.strictEqual(status, 200)
    return body.text
  }

  /** The external ids of all documents with the word. */
  async search(node: Node, q: string): Promise<ReadonlyArray<string>> {
    type Page = {
      readonly results: ReadonlyArray<{ readonly external_id: string }>
      readonly next_cursor: string | null
    }
    const found: Array<string> = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Page = await this.ask(node, "POST", "/v1/knowledge/search", { q, limit: 100, cursor })
      found.push(...page.results.map(({ external_id }) => external_id))
      cursor = page.next_cursor
    }
    return found
  }
}
