/** Fixed windows of requests, one per (workspace, operation), shared by every key and every node. */
import { Context } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { LimitedOperation, RateLimit } from "../model/Plan.ts"
import type { Stored } from "./Storage.ts"

export interface WindowState {
  /** Requests counted in the window that is open now; refused ones are not counted. */
  readonly count: number
  /** Milliseconds until the window rolls over; the whole window when none is open. */
  readonly resetMillis: number
}

export class RateWindows extends Context.Service<RateWindows, {
  /** Counts one request unless the window is full; `allowed` says which. Exact when called many times at once. */
  take(
    workspaceId: WorkspaceId,
    operation: LimitedOperation,
    limit: RateLimit
  ): Stored<WindowState & { readonly allowed: boolean }>
  /** The same without counting. */
  peek(workspaceId: WorkspaceId, operation: LimitedOperation, limit: RateLimit): Stored<WindowState>
}>()("@tributary/core/ports/RateWindows") {}
