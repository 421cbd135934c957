/** Imported first: an older Node would fail later, and with less to go by. */

const OLDEST = [22, 19] as const

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  throw new Error(`Tributary needs Node ${OLDEST.join(".")} or newer, and this is Node ${process.versions.node}.`)
}
