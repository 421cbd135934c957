/**
 * Fixed windows of requests, one per workspace and name, shared by all keys and all nodes. If the clock is set back, no
 * window becomes longer.
 */
import { Context } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { RateLimit } from "../model/Plan.ts"
import type { Stored } from "./Storage.ts"

export interface WindowState {
  /** Requests counted in the current window; refused ones are not counted. */
  readonly count: number
  /** Milliseconds until the window ends; the whole window if none is open. */
  readonly resetMillis: number
}

/** The window of a request that was accepted before its workspace was closed. */
export const emptyWindow = ({ window_seconds }: RateLimit): WindowState & { readonly allowed: boolean } => ({
  count: 0,
  resetMillis: window_seconds * 1_000,
  allowed: true
})

export class RateWindows extends Context.Service<RateWindows, {
  /**
   * Counts one request unless the window is full, as `allowed` says. Exact with concurrent calls. Of a
   * closed workspace it stores nothing: `uncounted`, for requests that were accepted before.
   */
  take(
    workspaceId: WorkspaceId,
    name: string,
    limit: RateLimit
  ): Stored<WindowState & { readonly allowed: boolean }>
  /** The same without counting. */
  peek(workspaceId: WorkspaceId, name: string, limit: RateLimit): Stored<WindowState>
}>()("@tributary/core/ports/RateWindows") {}
