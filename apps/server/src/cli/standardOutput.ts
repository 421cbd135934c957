/** Standard output that is a pipe or a file: what cannot be written is noticed. */
import { Console } from "node:console"

const fail = ({ code, message }: NodeJS.ErrnoException): void => {
  // A reader such as `head`, which has seen enough.
  if (code === "EPIPE") process.exit(0)
  process.stderr.write(`Standard output cannot be written: ${message}\n`)
  process.exit(1)
}

/** Node's own console ignores the errors of a file, and ends with a stack trace at those of a pipe. */
export const strictConsole = (): Console => {
  process.stdout.on("error", fail)
  const strict = new Console({ stdout: process.stdout, stderr: process.stderr, ignoreErrors: false })
  const { log } = strict
  strict.log = (...line) => {
    try {
      log(...line)
    } catch (error) {
      fail(error as NodeJS.ErrnoException)
    }
  }
  return strict
}
