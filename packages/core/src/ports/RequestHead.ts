/**
 * The head of a context, read together with the credential of a request.
 *
 * `ApiKeyStore.authenticate` may put the head of the key's workspace here, from where `KnowledgeStore.head` takes it.
 * This saves a round trip to a remote store. A store may ignore it.
 */
import { Context } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { Head } from "./KnowledgeStore.ts"

export class HeadPlace {
  private left: { readonly workspaceId: WorkspaceId; readonly head: Head } | null = null

  leave(workspaceId: WorkspaceId, head: Head): void {
    this.left = { workspaceId, head }
  }

  /** Returned once: a second call must see later changes. */
  take(workspaceId: WorkspaceId): Head | null {
    const { left } = this
    this.left = null
    return left?.workspaceId === workspaceId ? left.head : null
  }
}

/** One per request that needs the head. */
export const RequestHead = Context.Reference<HeadPlace | null>("@tributary/core/ports/RequestHead", {
  defaultValue: () => null
})
