/** Which git is recent enough to be told where a name leads. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { FatalFailure } from "@tributary/core/ports/Provider"

/** The first version that knows `http.curloptResolve`: older ones look a name up again, and may be led elsewhere. */
const NEEDED = [2, 37] as const

const isRecent = (major: number, minor: number): boolean =>
  major > NEEDED[0] || major === NEEDED[0] && minor >= NEEDED[1]

/** Throws unless the git of this machine can be used. */
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
