/** A workspace under test: its model, and requests whose connections may break. */
import { assert } from "vitest"
import type { RunningServer } from "../../serverProcess.ts"
import { ADMIN_TOKEN, eventually } from "../support/nodes.ts"
import { type Answer, request, Tenant } from "../support/Tenant.ts"
import { METADATA, type Stored } from "./items.ts"
import { type Change, Model, nameOf } from "./Model.ts"
import { CONNECTORS, type Operation } from "./operations.ts"
import type { Servers } from "./Servers.ts"
import { snapshotIsExact } from "./snapshot.ts"

export interface Document {
  readonly document_id: string
  readonly external_id: string
  readonly source: string
  readonly kind: string
  readonly title: string | null
  readonly size: number
  readonly timestamp: string
  readonly updated_at: string
  readonly metadata: Readonly<Record<string, string>>
  readonly in_context: boolean
}

export interface FullDocument extends Document {
  readonly text: string
  readonly payload: unknown
}

interface Page {
  readonly next_cursor: string | null
}

interface Status {
  readonly up_to_date: boolean
  readonly pending_documents: number
  readonly state: string
  readonly error: string | null
}

/** A question as a job has three attempts, and each end of a server may take one. */
const MAX_ENDS = 2

export class Workspace {
  readonly servers: Servers
  readonly tenant: Tenant
  readonly number: number
  readonly model = new Model()
  readonly others: ReadonlyArray<Workspace>
  readonly #connectors = new Map<string, string>()
  #operation: Pick<Operation, "nodes" | "key"> = { nodes: 0, key: 0 }
  /** The requests of the present operation, with the servers that had them. */
  requests: Array<string> = []
  #sent = 0
  /** The ends of servers when it last rested. */
  #rested = 0

  private constructor(servers: Servers, tenant: Tenant, others: ReadonlyArray<Workspace>) {
    this.servers = servers
    this.tenant = tenant
    this.others = others
    this.number = others.length
  }

  /** `all` are the workspaces so far; later ones are added to it. */
  static async open(servers: Servers, all: Array<Workspace>): Promise<Workspace> {
    const tenant = await Tenant.open(await servers.any(0))
    const workspace = new Workspace(servers, tenant, all)
    for (const source_name of CONNECTORS) {
      const path = "/v1/custom-connectors"
      const { connector_id } = source_name === "notes" ? { connector_id: tenant.connectorId } : await tenant.ask<
        { readonly connector_id: string }
      >(await servers.any(0), "POST", path, { name: source_name, source_name, metadata: METADATA[source_name] })
      workspace.#connectors.set(source_name, `${path}/${connector_id}`)
    }
    return workspace
  }

  begin(operation: Pick<Operation, "nodes" | "key">): void {
    this.#operation = operation
    this.#sent = 0
    this.requests = []
  }

  pathOf(connector: string): string {
    return this.#connectors.get(connector)!
  }

  idOf(connector: string): string {
    return this.pathOf(connector).split("/").at(-1)!
  }

  /** A key that may write. */
  #key(): string {
    const secrets = [
      this.tenant.key,
      ...this.model.keys.filter(({ isReader }) => !isReader).map(({ secret }) => secret)
    ]
    return secrets[this.#operation.key % secrets.length]!
  }

  /** Null: without a response, or with one that does not show the outcome. */
  async sendTo<A>(node: RunningServer, method: string, path: string, body?: unknown, token = this.#key()) {
    const answer = await request<A>(node, token, method, path, body)
    this.requests.push(`${method} ${path}: ${answer.status} from ${this.servers.nameOf(node)}`)
    if (answer.status !== 0 && answer.status !== 503) return answer
    assert.isTrue(this.servers.wasEnded(node), `${method} ${path} got ${answer.status} of a server that runs`)
    return null
  }

  async send<A>(method: string, path: string, body?: unknown, token?: string): Promise<Answer<A> | null> {
    const node = await this.servers.any((this.#operation.nodes >> this.#sent++ % 31) & 1)
    return await this.sendTo<A>(node, method, path, body, token)
  }

  /** Repeats a read, or an idempotent write, until there is a response. */
  async answer<A>(method: string, path: string, body?: unknown, token?: string): Promise<Answer<A>> {
    for (;;) {
      const answer = await this.send<A>(method, path, body, token)
      if (answer !== null) return answer
    }
  }

  async read<A>(method: string, path: string, body?: unknown, token?: string): Promise<A> {
    const { body: read, status } = await this.answer<A>(method, path, body, token)
    assert.strictEqual(status, 200, `${method} ${path}: ${JSON.stringify(read)}`)
    return read
  }

  /** Every page to the end of a list. */
  async pages<P extends Page>(read: (cursor: string | null) => Promise<P>): Promise<ReadonlyArray<P>> {
    const pages = [await read(null)]
    for (let cursor = pages[0]!.next_cursor; cursor !== null; cursor = pages.at(-1)!.next_cursor) {
      pages.push(await read(cursor))
      assert.isBelow(pages.length, 1_000, "a list has an end")
    }
    return pages
  }

  async list<P extends Page>(path: string, query: Readonly<Record<string, unknown>>, token?: string) {
    return await this.pages((cursor) => {
      const all = Object.entries({ ...query, ...cursor === null ? {} : { cursor } })
      const search = new URLSearchParams(all.map(([name, value]): [string, string] => [name, String(value)]))
      return this.read<P>("GET", `${path}?${search}`, undefined, token)
    })
  }

  /** The answer to an operator. */
  admin<A>(method: string, path: string, body?: unknown): Promise<Answer<A> | null> {
    return this.send<A>(method, `/admin/v1${path}`, body, ADMIN_TOKEN)
  }

  async #reaches(name: string, isReached: (status: Status) => boolean): Promise<void> {
    await eventually(name, async () => {
      const status = await this.read<Status>("GET", "/v1/knowledge/status")
      assert.notStrictEqual(status.state, "failed", String(status.error))
      return isReached(status)
    })
  }

  /** A rebuild of a killed server has to be repeated; until then questions are answered from the former range. */
  upToDate(): Promise<void> {
    return this.#reaches("the context has the range of the settings", ({ up_to_date }) => up_to_date)
  }

  /** Nothing is left to build. */
  rests(): Promise<void> {
    return this.#reaches(
      "every document is in the context",
      ({ pending_documents, state, up_to_date }) => up_to_date && pending_documents === 0 && state === "ready"
    )
  }

  /** Whether no server may end before this workspace rested. */
  isDue(): boolean {
    return this.servers.ends - this.#rested === MAX_ENDS
  }

  async restIfDue(): Promise<void> {
    if (!this.isDue()) return
    await this.rests()
    await snapshotIsExact(this.servers.store, this.tenant.workspaceId)
    this.#rested = this.servers.ends
  }

  async find({ connector, external_id }: Pick<Stored, "connector" | "external_id">): Promise<FullDocument | undefined> {
    const path = `${this.pathOf(connector)}/documents/${external_id}`
    const { body, status } = await this.answer<FullDocument>("GET", path)
    if (status === 404) return undefined
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body
  }

  /** Reads what became of a write without a response: all of it, or nothing. */
  async settle(change: Change): Promise<void> {
    await this.servers.settled()
    const found = await Promise.all(
      [...change.keys()].map(async (name) => {
        const [connector = "", external_id = ""] = name.split(" ")
        return [name, await this.find({ connector, external_id })] as const
      })
    )
    const isAs = (versionOf: (name: string) => Stored | undefined) =>
      found.every(([name, document]) => {
        const version = versionOf(name)
        return version === undefined ? document === undefined : document?.text.includes(version.word) === true
      })
    if (isAs((name) => change.get(name))) {
      this.model.apply(change)
      for (const [name, document] of found) {
        if (document !== undefined) this.model.documentIds.set(name, document.document_id)
      }
    } else {
      const seen = found.map(([name, document]) => `${name}: ${document?.text.slice(0, 60) ?? "absent"}`)
      assert.isTrue(isAs((name) => this.model.get(name)), `a write is neither done nor undone: ${seen.join("; ")}`)
    }
  }

  /** Compares a document with its model. */
  check(document: Document, stored: Stored): void {
    const { from, kind, metadata, size, title } = stored
    assert.deepStrictEqual(
      {
        document_id: document.document_id,
        kind: document.kind,
        title: document.title,
        size: document.size,
        timestamp: Date.parse(document.timestamp),
        metadata: document.metadata
      },
      { document_id: this.model.documentIds.get(nameOf(stored))!, kind, title, size, timestamp: from, metadata },
      nameOf(stored)
    )
  }

  checkText({ payload, text }: FullDocument, stored: Stored): void {
    if (stored.text !== null) assert.strictEqual(text, stored.text)
    assert.include(text, stored.word)
    assert.deepStrictEqual(payload, stored.payload)
  }
}
