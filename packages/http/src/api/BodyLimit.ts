/** The maximum body size of an operation, declared beside its path and shown in the OpenAPI document. */
import { MAX_QUERY } from "@tributary/core/model/Ask"
import { MAX_HISTORY } from "@tributary/core/model/AskHistory"
import { MAX_EXTERNAL_ID, MAX_UPLOAD_BYTES } from "@tributary/core/model/Ingest"
import { MAX_METADATA_KEY, MAX_METADATA_VALUE } from "@tributary/core/model/Text"
import { Context } from "effect"

const KIBIBYTE = 1_024
const SMALL = 16 * KIBIBYTE

/** The bytes of a text of JSON whose characters are all escaped, each as two surrogates. */
const text = (characters: number): number => `"",`.length + 12 * characters
/** Pairs of metadata. */
const metadata = (pairs: number): number => pairs * (text(MAX_METADATA_KEY) + text(MAX_METADATA_VALUE))

/** For bodies with these texts beside some short fields. No valid body is too large, however it is escaped. */
const limitFor = (...texts: ReadonlyArray<number>): number =>
  2 ** Math.ceil(Math.log2(texts.reduce((sum, bytes) => sum + bytes, SMALL)))

/** In bytes. The default is enough for a few short fields. */
export const BodyLimit = Context.Reference<number>("@tributary/http/BodyLimit", { defaultValue: () => SMALL })

/** A token, from whomever. */
export const SIGN_IN = 4 * KIBIBYTE
/** A question with its filters and its history. */
export const QUESTION = limitFor(text(MAX_QUERY), text(MAX_HISTORY), 20 * text(200), metadata(20))
/** A comment on an answer. */
export const COMMENT = limitFor(text(2_000))
/** The configuration of a source. */
export const CONFIGURATION = 256 * KIBIBYTE
/** A connector: its name, its kinds and its metadata. */
export const CONNECTOR = limitFor(text(255), 50 * text(64), metadata(50))
/** The most external ids of one request. */
export const NAMES = limitFor(1_000 * text(MAX_EXTERNAL_ID))
/** Items, or a file. */
export const ITEMS = MAX_UPLOAD_BYTES

/** As text for people. */
export const sizeText = (bytes: number): string =>
  bytes < KIBIBYTE * KIBIBYTE ? `${bytes / KIBIBYTE} KiB` : `${bytes / KIBIBYTE / KIBIBYTE} MiB`
