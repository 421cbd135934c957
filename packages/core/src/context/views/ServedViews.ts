/** The views of the workspaces that this process serves, and their loaded segments. */
import { Semaphore } from "effect"
import type { WorkspaceId } from "../../model/Id.ts"
import { LoadedSegments } from "./LoadedSegments.ts"
import { restrictToLoaded, type View } from "../View.ts"

interface Served {
  readonly lock: Semaphore.Semaphore
  view: View | null
  /** The last snapshot with a damaged copy: all of its copies are verified completely. */
  suspectSnapshotId: string | null
  /** The last snapshot of which a stored segment could not be read. */
  unreadableSnapshotId: string | null
}

export class ServedViews {
  readonly #served = new Map<WorkspaceId, Served>()
  /** What is evicted from these leaves its view, too. */
  readonly loaded: LoadedSegments

  constructor(budget: number) {
    this.loaded = new LoadedSegments(budget, (workspaceId, segmentId) => {
      const view = this.viewOf(workspaceId)
      if (view === null) return
      this.of(workspaceId).view = segmentId === null ? null : restrictToLoaded(view, (other) => other !== segmentId)
    })
  }

  workspaces(): Iterable<WorkspaceId> {
    return this.#served.keys()
  }

  of(workspaceId: WorkspaceId): Served {
    const known = this.#served.get(workspaceId)
    if (known !== undefined) return known
    const served = {
      lock: Semaphore.makeUnsafe(1),
      view: null,
      suspectSnapshotId: null,
      unreadableSnapshotId: null
    }
    this.#served.set(workspaceId, served)
    return served
  }

  /** A query that still updates its view leaves it to nobody. */
  forget(workspaceId: WorkspaceId): void {
    this.loaded.release(workspaceId)
    this.#served.delete(workspaceId)
  }

  viewOf(workspaceId: WorkspaceId): View | null {
    return this.#served.get(workspaceId)?.view ?? null
  }
}
