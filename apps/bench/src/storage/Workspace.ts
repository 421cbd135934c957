/** A workspace of a server, and requests to it. */
import { randomFrom, randomText } from "../texts.ts"
import type { Node } from "./Node.ts"

/** The words of a chunk. */
export const WORDS = 80
/** The chunks of a document, unless its words are given. */
export const CHUNKS = 10

interface Status {
  readonly state: string
  readonly pending_documents: number
}

export const paused = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

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
    this.#connector = `/v1/custom-connectors/${connector}`
  }

  static async open(node: Node): Promise<Workspace> {
    const key = await node.newKey()
    const connector = { name: "Bench", source_name: "bench" }
    const { connector_id } = await node.request(key, "POST", "/v1/custom-connectors", connector) as {
      readonly connector_id: string
    }
    return new Workspace(node, key, connector_id)
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
    const everything = { temporal_settings: { start: null, end: null } }
    await this.#node.request(this.#key, "PATCH", "/v1/knowledge/settings", everything)
  }

  async isSettled(): Promise<boolean> {
    const status = await this.get("/v1/knowledge/status") as Status
    return status.state === "ready" && status.pending_documents === 0
  }

  async settled(): Promise<void> {
    while (!await this.isSettled()) await paused(100)
  }
}
