/** The passages that an answerer was given: only these can prove its statements. */
import { unitsOf } from "@tributary/retrieval"
import type { Quote } from "../ports/Answerer.ts"
import type { Passage, PassageRef } from "../ports/DocumentStore.ts"

type Version = Pick<PassageRef, "document_id" | "change_seq">

const keyOf = ({ change_seq, document_id }: Version): string => `${document_id} ${change_seq}`

export class GivenPassages {
  /** Those of each version of a document, by ordinal. */
  readonly #versions = new Map<string, Map<number, Passage>>()

  add(passage: Passage): void {
    const version = this.#versions.get(keyOf(passage)) ?? new Map<number, Passage>()
    this.#versions.set(keyOf(passage), version.set(passage.ordinal, passage))
  }

  find(ref: PassageRef): Passage | undefined {
    return this.#versions.get(keyOf(ref))?.get(ref.ordinal)
  }

  hasVersion(version: Version): boolean {
    return this.#versions.has(keyOf(version))
  }

  /** The headings above the first unit of the passage, if they are in it or in the passages right before it. */
  headingsOf(passage: Passage): ReadonlyArray<string> {
    const version = this.#versions.get(keyOf(passage))
    let text = passage.text
    for (let ordinal = passage.ordinal - 1; version?.has(ordinal) === true; ordinal--) {
      text = version.get(ordinal)!.text + text
    }
    const at = text.length - passage.text.length
    const unit = unitsOf(text).find(({ end }) => end > at)
    return unit?.headings.filter(({ start }) => start < at).map(({ end, start }) => text.slice(start, end)) ?? []
  }

  /** The text of a quote and its document; null if part of it was not given. */
  quoted(quote: Quote): { readonly text: string; readonly document: Passage["document"] } | null {
    const covered = [...this.#versions.get(keyOf(quote))?.values() ?? []]
      .filter(({ start, text }) => start < quote.end && start + text.length > quote.start)
      .sort((one, other) => one.start - other.start)
    const [first] = covered
    if (first === undefined || first.start > quote.start || quote.start >= quote.end) return null
    let text = ""
    for (const passage of covered) {
      if (passage.start !== first.start + text.length) return null
      text += passage.text
    }
    const quoted = text.slice(quote.start - first.start, quote.end - first.start)
    return quoted.length === quote.end - quote.start ? { text: quoted, document: first.document } : null
  }
}
