/** When the documents of a segment start and end, in milliseconds. */
import { once } from "../../once.ts"
import type { Column } from "./Column.ts"

export interface TimeBounds {
  /** The earliest and the latest start of a document; infinite without documents. */
  readonly earliest: number
  readonly latest: number
  /** The latest end of a document. */
  readonly latestEnd: number
}

/** The number of documents in a block; the last one may have fewer. */
export const TIME_BLOCK = 256

export class TimeColumns {
  readonly #froms: Column
  readonly #spans: Column
  /** The bounds of each block: a filter that cuts the segment looks only at the documents of the blocks that it cuts. */
  readonly blocks: () => ReadonlyArray<TimeBounds>

  constructor(froms: Column, spans: Column, documentCount: number) {
    this.#froms = froms
    this.#spans = spans
    this.blocks = once(() =>
      Array.from(
        { length: Math.ceil(documentCount / TIME_BLOCK) },
        (_, block) => this.#boundsOf(block * TIME_BLOCK, Math.min((block + 1) * TIME_BLOCK, documentCount))
      )
    )
  }

  fromOf(document: number): number {
    return this.#froms.at(document)
  }

  toOf(document: number): number {
    return this.#froms.at(document) + this.#spans.at(document)
  }

  #boundsOf(first: number, end: number): TimeBounds {
    let [earliest, latest, latestEnd] = [Infinity, -Infinity, -Infinity]
    for (let document = first; document < end; document++) {
      const from = this.fromOf(document)
      earliest = Math.min(earliest, from)
      latest = Math.max(latest, from)
      latestEnd = Math.max(latestEnd, this.toOf(document))
    }
    return { earliest, latest, latestEnd }
  }
}
