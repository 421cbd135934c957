/** Steps of a provider that are stored together. */
import type { SyncRecord } from "../../ports/ConnectionStore.ts"
import type { PulledItem } from "../../ports/Provider.ts"

type Skipped = SyncRecord["skipped"][number]

const MAX_ITEMS = 100
/** Of files. */
const MAX_BYTES = 8_000_000
const MAX_DELETIONS = 1_000

const sizeOf = (item: PulledItem): number => "file" in item ? item.file.bytes.length : 0

export class StepBatch {
  readonly items: Array<PulledItem> = []
  readonly deletions = new Set<string>()
  /** As many as are named in a state. */
  readonly skipped: Array<Skipped> = []
  #bytes = 0

  upsert(item: PulledItem): void {
    this.deletions.delete(item.external_id)
    this.items.push(item)
    this.#bytes += sizeOf(item)
  }

  delete(external_id: string): void {
    this.deletions.add(external_id)
  }

  skip({ external_id, reason }: Skipped): void {
    if (this.skipped.length < MAX_ITEMS) this.skipped.push({ external_id, reason })
  }

  get isFull(): boolean {
    return this.items.length >= MAX_ITEMS || this.#bytes >= MAX_BYTES
  }

  get hasMostDeletions(): boolean {
    return this.deletions.size >= MAX_DELETIONS
  }

  get externalIds(): ReadonlySet<string> {
    return new Set([...[...this.items, ...this.skipped].map(({ external_id }) => external_id), ...this.deletions])
  }
}
