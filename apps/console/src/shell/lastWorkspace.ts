/** Which workspace this browser was in last. The address of a page decides for that page, so that tabs do not disturb each other. */
const KEY = "tributary.workspace"

export const lastWorkspace = (): string | null => localStorage.getItem(KEY)
export const rememberWorkspace = (id: string): void => localStorage.setItem(KEY, id)
