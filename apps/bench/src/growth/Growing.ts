/** A workspace with short documents, and the requests that are measured on it. */
import { randomFrom, randomText } from "../texts.ts"
import type { Node } from "../storage/Node.ts"
import { isSettled, openWorkspace, paused, startRebuild } from "../storage/Workspace.ts"

/** A paragraph, as long as a chunk may be. */
const WORDS = 80
/** Created before the measurement. */
const PARAGRAPHS = 2_000

const BATCH = 1_000
/** Concurrent requests. */
const LANES = 2
const PAGE = 100
const DELETED = 500

const paragraphs = (() => {
  const random = randomFrom(31)
  return Array.from({ length: PARAGRAPHS }, () => randomText(random, WORDS))
})()

/** A number at the start makes it unique. */
export const textOf = (number: number): string => `Number ${number}. ${paragraphs[number % PARAGRAPHS]!}`

interface Page {
  readonly documents: ReadonlyArray<{ readonly external_id: string }>
  readonly next_cursor: string | null
}

export class Growing {
  readonly #node: Node
  readonly #key: string
  readonly #path: string
  readonly #random = randomFrom(29)

  private constructor(node: Node, key: string, connector: string) {
    this.#node = node
    this.#key = key
    this.#path = connector
  }

  static async open(node: Node): Promise<Growing> {
    const { connector, key } = await openWorkspace(node)
    return new Growing(node, key, connector)
  }

  /** Numbers them from `from` on. */
  async fill(documents: number, from = 0): Promise<void> {
    const end = from + documents
    let sent = from
    const send = async (): Promise<void> => {
      while (sent < end) {
        const first = sent
        sent += BATCH
        const items = Array.from({ length: Math.min(BATCH, end - first) }, (_, at) => ({
          external_id: `text-${first + at}`,
          text: textOf(first + at)
        }))
        await this.#node.request(this.#key, "POST", `${this.#path}/ingest/text`, { items })
      }
    }
    await Promise.all(Array.from({ length: LANES }, send))
  }

  async settled(node = this.#node): Promise<void> {
    while (!await isSettled(node, this.#key)) await paused(100)
  }

  async rebuild(node = this.#node): Promise<void> {
    await startRebuild(node, this.#key)
    await this.settled(node)
  }

  /** Reads all pages, and returns the number of documents. */
  async list(): Promise<number> {
    let [listed, cursor]: [number, string | null] = [0, ""]
    while (cursor !== null) {
      const after = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const path = `${this.#path}/documents?limit=${PAGE}${after}`
      const page = await this.#node.request(this.#key, "GET", path) as Page
      listed += page.documents.length
      cursor = page.next_cursor
    }
    return listed
  }

  async removeTenth(documents: number): Promise<void> {
    const ids = Array.from({ length: Math.floor(documents / 10) }, (_, number) => `text-${number * 10}`)
    for (let at = 0; at < ids.length; at += DELETED) {
      const external_ids = ids.slice(at, at + DELETED)
      await this.#node.request(this.#key, "POST", `${this.#path}/documents/delete`, { external_ids })
    }
  }

  async search(node = this.#node): Promise<void> {
    await node.request(this.#key, "POST", "/v1/knowledge/search", { q: randomText(this.#random, 3) })
  }

  async settings(node: Node): Promise<void> {
    await node.request(this.#key, "GET", "/v1/knowledge/settings")
  }

  async ask(): Promise<void> {
    const query = `What is ${randomText(this.#random, 4)}`
    await this.#node.request(this.#key, "POST", "/v1/knowledge/ask", { query })
  }
}
