/** Missing programs: tests that need one fail if it is required; otherwise the end of the run lists it. */
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What the end of a run reports, by the parent process of all its files. */
const listOf = (run: number): string => join(tmpdir(), `tributary-missing-${run}`)

interface Missing {
  readonly program: string
  /** The command that installs it, or another remedy. */
  readonly remedy: string
}

/** Its Debian package. */
const PACKAGES: Readonly<Record<string, string>> = {
  dovecot: "dovecot-imapd",
  pdftotext: "poppler-utils",
  script: "bsdutils",
  soffice: "libreoffice-writer-nogui"
}

const isRequired = (what: "CHROMIUM" | "POSTGRES" | "TOOLS"): boolean =>
  process.env[`TRIBUTARY_REQUIRE_${what}`] === "1"

/** Throws if it is required. */
export const missing = (what: "CHROMIUM" | "POSTGRES" | "TOOLS", program: string, remedy?: string): void => {
  const line: Missing = { program, remedy: remedy ?? `apt-get install ${PACKAGES[program] ?? program}` }
  if (isRequired(what)) throw new Error(`${program} is missing: ${line.remedy}`)
  appendFileSync(listOf(process.ppid), `${JSON.stringify(line)}\n`)
}

/** Each program once, for the process of the run. */
export const takeMissing = (): ReadonlyArray<Missing> => {
  const list = listOf(process.pid)
  if (!existsSync(list)) return []
  const lines = [...new Set(readFileSync(list, "utf8").trim().split("\n"))].sort()
  rmSync(list)
  return lines.map((line) => JSON.parse(line) as Missing)
}
