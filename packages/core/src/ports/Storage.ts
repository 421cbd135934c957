/**
 * What every storage port has in common.
 *
 * A port method is one atomic act: what it changes is visible as a whole or not at all, and durable before it
 * answers. A port raises only `StorageUnavailable`; any other failure of a backend is a defect. Text, JSON and
 * metadata come back as they went in. A method that names a workspace never shows or changes another one's rows.
 */
import type { Effect } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"

export type Stored<A> = Effect.Effect<A, StorageUnavailable>
