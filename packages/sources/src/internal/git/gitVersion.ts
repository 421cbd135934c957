/** Which version of git is required. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { FatalFailure } from "@tributary/core/ports/Provider"

/** The first version with `http.curloptResolve`. Older ones resolve the name again, possibly to another address. */
const NEEDED = [2, 37] as const

const isRecent = (major: number, minor: number): boolean =>
  major > NEEDED[0] || major === NEEDED[0] && minor >= NEEDED[1]

/** Throws unless this machine's git is recent enough. */
export const requireGit = async (): Promise<void> => {
  const { stdout } = await promisify(execFile)("git", ["--version"], { env: { PATH: process.env["PATH"] } }).catch(
    () => {
      throw new FatalFailure({ message: "The program git cannot be started." })
    }
  )
  const [, version = "of unknown version", major, minor] = /^git version ((\d+)\.(\d+)\S*)/.exec(stdout) ?? []
  if (isRecent(Number(major), Number(minor))) return
  throw new FatalFailure({ message: `Git ${NEEDED.join(".")} or newer is needed; this machine has git ${version}.` })
}
