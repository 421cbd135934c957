/** How large the body of an operation may be: stated beside its path, and told by the document of the interface. */
import { Context } from "effect"

const KIBIBYTE = 1_024

/** In bytes. Without a limit of its own, an operation takes a few short fields. */
export const BodyLimit = Context.Reference<number>("@tributary/http/BodyLimit", { defaultValue: () => 16 * KIBIBYTE })

/** A token, from whomever. */
export const SIGN_IN = 4 * KIBIBYTE
/** A question and its filters. */
export const QUESTION = 64 * KIBIBYTE
/** What a connection is told of its source. */
export const CONFIGURATION = 256 * KIBIBYTE
/** All metadata that a connector may have. */
export const METADATA = 512 * KIBIBYTE
/** As many external ids as may be named at once. */
export const NAMES = 4_096 * KIBIBYTE
/** Items, or a file. */
export const ITEMS = 32_768 * KIBIBYTE

/** As a person reads it. */
export const sizeText = (bytes: number): string =>
  bytes < KIBIBYTE * KIBIBYTE ? `${bytes / KIBIBYTE} KiB` : `${bytes / KIBIBYTE / KIBIBYTE} MiB`
