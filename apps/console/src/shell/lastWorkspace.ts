/** The last workspace of this browser. Each page takes its workspace from its address, so that tabs are independent. */
const KEY = "tributary.workspace"

export const lastWorkspace = (): string | null => localStorage.getItem(KEY)
export const rememberWorkspace = (id: string): void => localStorage.setItem(KEY, id)
