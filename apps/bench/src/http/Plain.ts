/**
 * The same operations for the servers that ours is compared with, without the service: keys in a map by their SHA-256,
 * settings in a field, documents in a map, and the same search engine.
 */
import {
  cutChunks,
  type Hit,
  Mask,
  MAX_SEGMENT_CHUNKS,
  openSegment,
  parseQuery,
  rescore,
  scoringFor,
  searchPiece,
  SegmentBuilder,
  snippet,
  statisticsOf,
  type ViewPart
} from "@tributary/retrieval"
import { createHash, randomUUID } from "node:crypto"
import { storedTexts } from "./storedTexts.ts"

export interface TextItem {
  readonly external_id: string
  readonly text: string
  readonly title: string
}

interface StoredItem extends TextItem {
  readonly document_id: string
  readonly chunks: ReadonlyArray<string>
  readonly digest: string
  readonly at: Date
}

const SHOWN = 10

/** The number of hits that the service rescores. */
const RANKED = 50

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

const secret = (): string => `pk_live_${randomUUID().replaceAll("-", "")}00000000000`

export class Plain {
  readonly key = secret()
  readonly connectorId: string = randomUUID()
  settings: object = {
    temporal_settings: { start: { type: "relative", days: 365 }, end: { type: "relative", days: 365 } }
  }
  readonly #keys = new Map([[hash(this.key), { scopes: ["api:read", "api:write"] }]])
  readonly #stored = new Map<string, StoredItem>()
  readonly #byId = new Map<string, TextItem>()
  readonly #parts: ReadonlyArray<ViewPart>

  constructor() {
    const builders = [new SegmentBuilder()]
    for (const item of [...storedTexts()].flat()) {
      const id = randomUUID()
      this.#byId.set(id, item)
      const chunks = cutChunks(item.text)
      if (builders[0]!.chunkCount + chunks.length > MAX_SEGMENT_CHUNKS) builders.unshift(new SegmentBuilder())
      builders[0]!.add({ id, version: 1, title: item.title, chunks, tags: [], from: 0, to: 0 })
    }
    this.#parts = builders.map((builder) => {
      const segment = openSegment(builder.build())
      return { segment, mask: new Mask(segment) }
    })
  }

  /** Whether a header has a key with the required scope. */
  allows(header: string | undefined, scope: string): boolean {
    const token = /^bearer +([^\s,]+)$/i.exec(header ?? "")?.[1]
    const key = token === undefined ? undefined : this.#keys.get(hash(token))
    return key?.scopes.includes(scope) === true
  }

  ingest(items: ReadonlyArray<TextItem>) {
    const outcomes = items.map((item) => {
      const { external_id, text, title } = item
      const stored = this.#stored.get(external_id)
      const digest = hash(text)
      const document_id = stored?.document_id ?? randomUUID()
      if (stored?.digest === digest && stored.title === title) return { external_id, document_id, status: "unchanged" }
      this.#stored.set(external_id, { ...item, document_id, chunks: cutChunks(text), digest, at: new Date() })
      return { external_id, document_id, status: stored === undefined ? "created" : "updated" }
    })
    const external_ids = items.map(({ external_id }) => external_id)
    return { status: "accepted", events: items.length, external_ids, rejected: [], items: outcomes }
  }

  search(q: string) {
    const parsed = parseQuery(q)
    const scoring = scoringFor(parsed, statisticsOf(this.#parts, parsed))
    const { query } = scoring
    const { toRescore } = searchPiece(this.#parts, query, scoring, {
      limit: RANKED,
      rescoreWindow: RANKED,
      exactHits: SHOWN,
      groupBy: "document"
    })
    const ranked = rescore(query, scoring, toRescore, ({ documentId }) => {
      const { text, title } = this.#byId.get(documentId)!
      return [title, text]
    })
    const results = ranked.slice(0, SHOWN).map((hit) => {
      const { external_id, text, title } = this.#byId.get(hit.documentId)!
      return this.#result(hit, external_id, title, snippet(text, query))
    })
    return { count: results.length, results, next_cursor: null, warnings: [] }
  }

  #result(hit: Hit, external_id: string, title: string, { highlights, text }: ReturnType<typeof snippet>) {
    return {
      id: hit.documentId,
      evidence_type: "custom",
      score: hit.score,
      snippet: text,
      timestamp: "2026-01-01T00:00:00.000Z",
      external_id,
      source: "custom:bench",
      title,
      url: null,
      metadata: {},
      in_context: true,
      highlights
    }
  }
}
