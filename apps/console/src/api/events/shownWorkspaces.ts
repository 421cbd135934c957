/** Which workspaces the tabs in sight show: each such tab holds a lock named after its workspace. */

const PREFIX = "tributary.events."

/** The server follows no more in one stream. */
const MAX_WORKSPACES = 20

export const shownWorkspaces = async (): Promise<ReadonlyArray<string>> => {
  const { held = [] } = await navigator.locks.query()
  const shown = held.flatMap(({ name = "" }) => name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])
  return [...new Set(shown)].toSorted().slice(0, MAX_WORKSPACES)
}

/** The workspace counts as shown while `run` runs. */
export const whileShown = (workspaceId: string, run: () => Promise<void>): Promise<void> =>
  navigator.locks.request(PREFIX + workspaceId, { mode: "shared" }, run)
