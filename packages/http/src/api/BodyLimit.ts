/** The maximum body size of an operation, declared beside its path and shown in the OpenAPI document. */
import { Context } from "effect"

const KIBIBYTE = 1_024

/** In bytes. The default is enough for a few short fields. */
export const BodyLimit = Context.Reference<number>("@tributary/http/BodyLimit", { defaultValue: () => 16 * KIBIBYTE })

/** A token, from whomever. */
export const SIGN_IN = 4 * KIBIBYTE
/** A question and its filters. */
export const QUESTION = 64 * KIBIBYTE
/** The configuration of a source. */
export const CONFIGURATION = 256 * KIBIBYTE
/** The largest metadata of a connector. */
export const METADATA = 512 * KIBIBYTE
/** The most external ids of one request. */
export const NAMES = 4_096 * KIBIBYTE
/** Items, or a file. */
export const ITEMS = 32_768 * KIBIBYTE

/** As text for people. */
export const sizeText = (bytes: number): string =>
  bytes < KIBIBYTE * KIBIBYTE ? `${bytes / KIBIBYTE} KiB` : `${bytes / KIBIBYTE / KIBIBYTE} MiB`
