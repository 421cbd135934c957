/**
 * The rules of every storage port.
 *
 * A method is one atomic act: its changes become visible together or not at all, and are durable before it returns. A
 * port fails only with `StorageUnavailable`; any other failure of a backend is a defect. Text, JSON and metadata are
 * returned as they were stored. A method that names a workspace never shows or changes rows of another one.
 */
import type { Effect } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"

/** What a method of a storage port returns. */
export type Stored<A> = Effect.Effect<A, StorageUnavailable>
