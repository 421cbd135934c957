/**
 * Pushes any number of items in batches. Items over the plan's caps are collected and the others continue. A batch that
 * is too large for one request is halved, and so are the following ones.
 */
import type { QuotaExceeded, RejectedItem } from "@tributary/core/model/Error"
import type * as Ingests from "@tributary/core/model/Ingest"
import { PayloadTooLargeError, ValidationError } from "@tributary/http/api/ErrorBody"
import { checkNumbers, wholeNumber } from "@tributary/core/model/NumberRule"
import { Effect, Schema, Stream } from "effect"
import { noResponse, RequestContext } from "./transport/RequestContext.ts"
import { withItemIds } from "./transport/withItemIds.ts"
import { checkNames, type Names } from "./optionNames.ts"
import { Override } from "./Policy.ts"
import { CallerError } from "./CallerError.ts"
import { countedFrom, invalidRequest } from "./failures.ts"
import { TributaryClient } from "./TributaryClient.ts"
import type { JsonItem, TextItem, TypedItem } from "./requests/requests.ts"

/** The items of each form of ingest. */
export interface Forms {
  readonly json: JsonItem
  readonly text: TextItem
  readonly typed: TypedItem
}

/** The sum over all batches. */
export interface Ingested {
  /** The number of items that were sent and answered. */
  readonly sent: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Items that exceeded the plan. */
  readonly rejected: ReadonlyArray<RejectedItem>
  /** The ids of items that are too large for any request. */
  readonly oversized: ReadonlyArray<string>
}

/** How items are pushed. */
export interface Options<Form extends keyof Forms> {
  /** The form of all items. */
  readonly form: Form
  /** The number of items per request, 1 to 1,000; 100 by default. */
  readonly batchSize?: number | undefined
  /** The number of concurrent requests, 1 to 4. With more than one, the order of items may change. */
  readonly concurrency?: number | undefined
  /** After each batch, with the sum so far. */
  readonly onProgress?: ((sum: Ingested) => void) | undefined
}

export const OPTIONS: Names<Options<keyof Forms>> = { form: true, batchSize: true, concurrency: true, onProgress: true }

const RULES = { batchSize: wholeNumber(1, 1_000), concurrency: wholeNumber(1, 4) }

const FORMS: Names<Forms> = { json: true, text: true, typed: true }

const checkOptions = (options: Options<keyof Forms>): void => {
  checkNames(OPTIONS, options)
  checkNumbers(RULES, options)
  if (Object.hasOwn(FORMS, options.form)) return
  throw new TypeError(`The option "form" must be one of ${Object.keys(FORMS).join(", ")}, not ${String(options.form)}.`)
}

/** A batch may wait for a rate window, because no user waits for it. */
const PATIENT = { maximumWait: "65 seconds" } as const

/** An item of any form. */
export type Item = { readonly external_id?: string | null }

/** Grows in place: a copy for every batch would cost more than the batches when much is rejected. */
class Sum {
  sent = 0
  created = 0
  updated = 0
  unchanged = 0
  readonly rejected: Array<RejectedItem> = []
  readonly oversized: Array<string> = []

  add({ items, rejected }: Ingests.IngestResult): void {
    this.sent += items.length
    for (const { status } of items) if (status !== "rejected") this[status]++
    this.rejected.push(...rejected)
  }

  addRefused(items: ReadonlyArray<Item>, { details }: QuotaExceeded): void {
    this.sent += items.length
    this.rejected.push(...details.rejected)
  }

  addOversized({ external_id }: Item): void {
    this.sent++
    this.oversized.push(external_id!)
  }
}

/** Numbers the items of an error as in the whole list, not in its batch. */
const counted = ({ detail }: ValidationError, before: number): ValidationError =>
  new ValidationError({
    detail: detail.map((problem) => ({ ...problem, loc: countedFrom(before, problem.loc) }))
  })

interface Batch {
  /** The number of items before it. */
  readonly before: number
  readonly items: ReadonlyArray<Item>
}

const halves = ({ before, items }: Batch, size: number): ReadonlyArray<Batch> => {
  const batches: Array<Batch> = []
  for (let from = 0; from < items.length; from += size) {
    batches.push({ before: before + from, items: items.slice(from, from + size) })
  }
  return batches
}

const ingestBatches = Effect.fnUntraced(function*<Form extends keyof Forms, E>(
  connectorId: string,
  items: Stream.Stream<Item, E>,
  { batchSize = 100, concurrency = 1, form, onProgress }: Options<Form>
) {
  const { ingest } = yield* TributaryClient
  const params = { connector_id: connectorId }
  // Items have the form that was named with them, which a union of forms cannot say.
  const sendOnce = (items: ReadonlyArray<Item>) =>
    form === "json"
      ? ingest.ingestJson({ params, payload: { items: items as ReadonlyArray<Ingests.JsonItem> } })
      : form === "text"
      ? ingest.ingestText({ params, payload: { items: items as ReadonlyArray<Ingests.TextItem> } })
      : ingest.ingestTyped({ params, payload: { items: items as ReadonlyArray<Ingests.TypedItem> } })

  const context = yield* RequestContext

  /** An item that cannot be written down is no unexpected answer, so the answers to other batches are kept apart. */
  const send = ({ before, items }: Batch) => {
    const own = noResponse()
    return sendOnce(items).pipe(
      Effect.provideService(RequestContext, { ...context, lastResponse: own }),
      Effect.provideService(Override, PATIENT),
      Effect.tapError(() => Effect.sync(() => context.lastResponse && Object.assign(context.lastResponse, own))),
      Effect.mapError((error) => {
        // A proxy with a limit of its own refuses a body in words of its own.
        if (own.status === 413) return new PayloadTooLargeError()
        return Schema.isSchemaError(error) && own.status === null
          ? new CallerError({ thrown: invalidRequest(error, before) })
          : error
      })
    )
  }

  const sum = new Sum()
  let size = batchSize

  const report = (count: () => void) =>
    Effect.try({
      try: () => {
        count()
        onProgress?.(sum)
      },
      catch: (thrown) => new CallerError({ thrown })
    })

  type Push = Effect.Effect<void, Effect.Error<ReturnType<typeof send>> | CallerError>

  const push = (batch: Batch): Push => {
    const { before, items } = batch
    if (items.length > size) return Effect.forEach(halves(batch, size), push, { discard: true })
    return Effect.flatMap(send(batch), (result) => report(() => sum.add(result))).pipe(
      Effect.catchTags({
        payload_too_large: () => {
          if (items.length === 1) return report(() => sum.addOversized(items[0]!))
          size = Math.min(size, Math.ceil(items.length / 2))
          return push(batch)
        },
        quota_exceeded: (error) => report(() => sum.addRefused(items, error)),
        validation_error: (error) => Effect.fail(counted(error, before))
      })
    )
  }

  let before = 0
  yield* items.pipe(
    Stream.grouped(size),
    Stream.map((items): Batch => {
      const batch = { before, items: withItemIds(items) }
      before += items.length
      return batch
    }),
    Stream.mapEffect(push, { concurrency }),
    Stream.runDrain
  )
  const ingested: Ingested = sum
  return ingested
})

/** Throws a `TypeError` for options that do not exist or make no sense. */
export const ingestAll: typeof ingestBatches = (connectorId, items, options) => {
  checkOptions(options)
  return ingestBatches(connectorId, items, options)
}
