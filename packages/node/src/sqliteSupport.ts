/** Whether this version of Node has the SQLite that embedded storage needs. */

/** Earlier versions cut text at a NUL character. */
const OLDEST_NODE = [24, 16] as const

export const isTooOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
}

/** Why SQLite cannot be used here; undefined when it can. */
export const sqliteProblem: string | undefined = isTooOld(process.versions.node)
  ? `embedded storage needs Node ${OLDEST_NODE.join(".")} or newer, and this is Node ${process.versions.node}`
  : undefined
