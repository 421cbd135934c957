/** Pushing documents. */
import { Effect, Stream } from "effect"
import { CALL, type CallOptions, omitUndefined } from "../calling.ts"
import { CallerError } from "../CallerError.ts"
import * as Bulk from "../ingestAll.ts"
import { checkNames } from "../optionNames.ts"
import { formOf, type Upload } from "../uploading.ts"
import type { IngestResult } from "../models.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"
import type { JsonItem, TextItem, TypedItem } from "../requests/requests.ts"

export const ingest = ({ api, call }: ConnectedClient) => ({
  /**
   * Pushes up to 1,000 JSON items; every string in them is searchable. An item with a known `external_id` replaces its
   * document. `data` of an interface's type needs a copy: `{ data: { ...ticket } }`.
   */
  json: (connector_id: string, items: ReadonlyArray<JsonItem>, options?: CallOptions): Promise<IngestResult> =>
    call(api.ingest.ingestJson({ params: { connector_id }, payload: { items: omitUndefined(items) } }), options),
  /** Pushes up to 1,000 texts: plain, Markdown or HTML. An item with a known `external_id` replaces its document. */
  text: (connector_id: string, items: ReadonlyArray<TextItem>, options?: CallOptions): Promise<IngestResult> =>
    call(api.ingest.ingestText({ params: { connector_id }, payload: { items: omitUndefined(items) } }), options),
  /**
   * Pushes up to 1,000 items of a kind, such as `email` or `issue`, whose fields are known. An item with a known
   * `external_id` replaces its document.
   */
  typed: (connector_id: string, items: ReadonlyArray<TypedItem>, options?: CallOptions): Promise<IngestResult> =>
    call(api.ingest.ingestTyped({ params: { connector_id }, payload: { items: omitUndefined(items) } }), options),
  /**
   * Pushes one file as one document: text, Markdown, HTML, JSON, CSV, PDF, Word, a mail, a calendar or a saved page.
   */
  file: (connector_id: string, upload: Upload, options?: CallOptions): Promise<IngestResult> =>
    call(
      Effect.suspend(() => api.ingest.ingestFile({ params: { connector_id }, payload: formOf(upload) })),
      options
    )
})

const INGESTING = { ...Bulk.OPTIONS, ...CALL }

/** A text can be iterated over, too, but is no list of items. */
const isIterable = (items: unknown): boolean =>
  typeof items === "object" && items !== null && (Symbol.asyncIterator in items || Symbol.iterator in items)

async function* asynchronous<A>(items: Iterable<A>) {
  yield* items
}

const streamOf = <A>(items: Iterable<A> | AsyncIterable<A>) =>
  Stream.fromAsyncIterable(
    Symbol.asyncIterator in items ? items : asynchronous(items),
    (thrown) => new CallerError({ thrown })
  )

export const ingestAll = ({ call }: ConnectedClient) =>
async <Form extends keyof Bulk.Forms>(
  connectorId: string,
  items: Iterable<Bulk.Forms[Form]> | AsyncIterable<Bulk.Forms[Form]>,
  options: Bulk.Options<Form> & CallOptions
): Promise<Bulk.Ingested> => {
  checkNames(INGESTING, options)
  const { signal, timeout, ...own } = options
  if (!isIterable(items)) throw new TypeError("The items must be an iterable or an async iterable.")
  const sent = Stream.map(streamOf(items), (item) => omitUndefined<Bulk.Item>(item))
  return call(Bulk.ingestAll(connectorId, sent, own), { signal, timeout })
}
