/**
 * The head of a context, read together with the credential of the request that needs it.
 *
 * Where there is a place for it, `ApiKeyStore.authenticate` may leave the head of the key's workspace there, and
 * `KnowledgeStore.head` takes it: a store over a network spares a round trip. A store may as well ignore it.
 */
import { Context } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { Head } from "./KnowledgeStore.ts"

export class HeadPlace {
  private left: { readonly workspaceId: WorkspaceId; readonly head: Head } | null = null

  leave(workspaceId: WorkspaceId, head: Head): void {
    this.left = { workspaceId, head }
  }

  /** Once: the one who asks again wants to know what happened since. */
  take(workspaceId: WorkspaceId): Head | null {
    const { left } = this
    this.left = null
    return left?.workspaceId === workspaceId ? left.head : null
  }
}

/** One for each request that needs the head, while it is answered. */
export const RequestHead = Context.Reference<HeadPlace | null>("@tributary/core/ports/RequestHead", {
  defaultValue: () => null
})
