/** A workspace of a server, and requests to it. */
import { randomFrom, randomText } from "../texts.ts"
import type { Node } from "./Node.ts"

/** The words of a chunk. */
export const WORDS = 80
/** The chunks of a document, unless its words are given. */
export const CHUNKS = 10

export const paused = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A new workspace of a server: its key, and the path of a connector in it. */
export const openWorkspace = async (node: Node) => {
  const key = await node.newKey()
  const made = await node.request(key, "POST", "/v1/custom-connectors", { name: "Bench", source_name: "bench" })
  const { connector_id } = made as { readonly connector_id: string }
  return { key, connector: `/v1/custom-connectors/${connector_id}` }
}

/** Whether everything that was sent is in the context. */
export const isSettled = async (node: Node, key: string): Promise<boolean> => {
  const status = await node.request(key, "GET", "/v1/knowledge/status")
  const { pending_documents, state } = status as { readonly state: string; readonly pending_documents: number }
  return state === "ready" && pending_documents === 0
}

/** Asks for a range without bounds, which rebuilds the context. */
export const startRebuild = (node: Node, key: string): Promise<unknown> =>
  node.request(key, "PATCH", "/v1/knowledge/settings", { temporal_settings: { start: null, end: null } })

export class Workspace {
  readonly #node: Node
  readonly #key: string
  readonly #connector: string
  readonly #texts = randomFrom(23)
  readonly #queries = randomFrom(29)
  #documents = 0

  private constructor(node: Node, key: string, connector: string) {
    this.#node = node
    this.#key = key
    this.#connector = connector
  }

  static async open(node: Node): Promise<Workspace> {
    const { connector, key } = await openWorkspace(node)
    return new Workspace(node, key, connector)
  }

  /** In one request. */
  async add(documents: number, words = WORDS * CHUNKS): Promise<void> {
    const items = Array.from({ length: documents }, () => ({
      external_id: `text-${this.#documents++}`,
      text: randomText(this.#texts, words)
    }))
    await this.#node.request(this.#key, "POST", `${this.#connector}/ingest/text`, { items })
  }

  get(path: string): Promise<unknown> {
    return this.#node.request(this.#key, "GET", path)
  }

  list(): Promise<unknown> {
    return this.get(`${this.#connector}/documents?limit=50`)
  }

  ask(): Promise<unknown> {
    return this.#node.request(this.#key, "POST", "/v1/knowledge/ask", { query: randomText(this.#queries, 6) })
  }

  /** The milliseconds of a search for a few words. */
  async search(): Promise<number> {
    const query = { q: randomText(this.#queries, 3) }
    const began = performance.now()
    await this.#node.request(this.#key, "POST", "/v1/knowledge/search", query)
    return performance.now() - began
  }

  async startRebuild(): Promise<void> {
    await startRebuild(this.#node, this.#key)
  }

  isSettled(): Promise<boolean> {
    return isSettled(this.#node, this.#key)
  }

  async settled(): Promise<void> {
    while (!await this.isSettled()) await paused(100)
  }
}
