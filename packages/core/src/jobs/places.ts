/** The places of a lane in this process, and who has them. */
import type { WorkspaceId } from "../model/Id.ts"

const NOBODY: ReadonlyArray<WorkspaceId> = []

export const makePlaces = (total: number) => {
  const taken = new Map<WorkspaceId, number>()
  let free = total
  const add = (workspaceId: WorkspaceId, count: number): void => {
    free -= count
    const own = (taken.get(workspaceId) ?? 0) + count
    if (own === 0) taken.delete(workspaceId)
    else taken.set(workspaceId, own)
  }
  return {
    isFull: (): boolean => free === 0,
    take: (workspaceId: WorkspaceId): void => add(workspaceId, 1),
    leave: (workspaceId: WorkspaceId): void => add(workspaceId, -1),
    /** Those that have half of the places or more: jobs of others go first, however long theirs have waited. */
    crowding: (): ReadonlyArray<WorkspaceId> =>
      2 * (total - free) < total
        ? NOBODY
        : Array.from(taken).flatMap(([workspaceId, count]) => 2 * count >= total ? [workspaceId] : [])
  }
}
