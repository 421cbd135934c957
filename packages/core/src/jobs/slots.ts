/** The slots of a lane in this process, each of which runs a job of one workspace. */
import type { WorkspaceId } from "../model/Id.ts"

const NONE: ReadonlyArray<WorkspaceId> = []

export const makeSlots = (total: number) => {
  const used = new Map<WorkspaceId, number>()
  let free = total
  const add = (workspaceId: WorkspaceId, count: number): void => {
    free -= count
    const own = (used.get(workspaceId) ?? 0) + count
    if (own === 0) used.delete(workspaceId)
    else used.set(workspaceId, own)
  }
  return {
    isFull: (): boolean => free === 0,
    acquire: (workspaceId: WorkspaceId): void => add(workspaceId, 1),
    release: (workspaceId: WorkspaceId): void => add(workspaceId, -1),
    /** Workspaces that use half of the slots or more: jobs of others go first, however long theirs have waited. */
    dominant: (): ReadonlyArray<WorkspaceId> =>
      2 * (total - free) < total
        ? NONE
        : Array.from(used).flatMap(([workspaceId, count]) => 2 * count >= total ? [workspaceId] : [])
  }
}
