/** The deliveries of one webhook. */
import type { EventId } from "@tributary/core/model/Id"
import type { DeliveryRecord, Message } from "@tributary/core/ports/WebhookStore"

const isPending = ({ status }: DeliveryRecord): boolean => status === "pending"

const isScheduled = ({ next_attempt_at }: DeliveryRecord): boolean => next_attempt_at !== null

const byDue = (left: DeliveryRecord, right: DeliveryRecord): number =>
  left.next_attempt_at!.getTime() - right.next_attempt_at!.getTime() || left.seq - right.seq

export class DeliveryTable {
  /** By `seq`, ascending. */
  readonly #deliveries = new Map<number, DeliveryRecord>()
  readonly #pending = new Set<number>()
  readonly #seqs = new Map<EventId, number>()
  /** The number of the newest delivery. */
  #seq = 0

  get all(): ReadonlyArray<DeliveryRecord> {
    return [...this.#deliveries.values()]
  }

  get pendingCount(): number {
    return this.#pending.size
  }

  /** Pending deliveries that do not wait for another one, the longest due first. */
  get scheduled(): ReadonlyArray<DeliveryRecord> {
    return this.#pendingOnes().filter(isScheduled).sort(byDue)
  }

  find(seq: number): DeliveryRecord | undefined {
    return this.#deliveries.get(seq)
  }

  findByEvent(eventId: EventId): DeliveryRecord | undefined {
    return this.#deliveries.get(this.#seqs.get(eventId) ?? 0)
  }

  put(delivery: DeliveryRecord): void {
    this.#deliveries.set(delivery.seq, delivery)
    if (isPending(delivery)) this.#pending.add(delivery.seq)
    else this.#pending.delete(delivery.seq)
  }

  /** A message waits while an earlier one of its subject is pending. An event that has a delivery is skipped. */
  append(messages: ReadonlyArray<Message>): void {
    const busy = new Set(this.#pendingOnes().map(({ subject }) => subject))
    for (const message of messages) {
      if (this.#seqs.has(message.event_id)) continue
      const seq = ++this.#seq
      this.#seqs.set(message.event_id, seq)
      this.put({
        ...message,
        seq,
        status: "pending",
        attempts: 0,
        next_attempt_at: busy.has(message.subject) ? null : new Date(message.created_at),
        last_attempt: null
      })
      busy.add(message.subject)
    }
  }

  /** The next delivery of the subject becomes due. */
  release(subject: string): void {
    const next = this.#pendingOnes().find((delivery) => delivery.subject === subject)
    if (next?.next_attempt_at === null) this.put({ ...next, next_attempt_at: next.created_at })
  }

  /** Deletes finished deliveries except for the newest `kept` of all. */
  keepNewest(kept: number): void {
    this.prune(({ seq }) => seq <= this.#seq - kept)
  }

  /** Deletes the old ones of the finished deliveries; returns their number. */
  prune(isOld: (delivery: DeliveryRecord) => boolean): number {
    const old = this.all.filter((delivery) => !isPending(delivery) && isOld(delivery))
    for (const { event_id, seq } of old) {
      this.#deliveries.delete(seq)
      this.#seqs.delete(event_id)
    }
    return old.length
  }

  #pendingOnes(): ReadonlyArray<DeliveryRecord> {
    return [...this.#pending].sort((left, right) => left - right).map((seq) => this.#deliveries.get(seq)!)
  }
}
