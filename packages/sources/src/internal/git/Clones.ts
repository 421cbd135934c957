/** Bare clones in a cache folder. A lost clone is fetched again. */
import { createHash } from "node:crypto"
import { readdir, rm, stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { CredentialsRefused, FatalFailure, SourceGone } from "@tributary/core/ports/Provider"
import { type GitRun, prepareGit, runGit } from "./gitProcess.ts"
import type { Remote, RemoteLocation } from "./Remote.ts"

export interface CloneLimits {
  readonly cacheDirectory: string
  /** The most bytes of one clone, packed. */
  readonly maxRepositoryBytes: number
  /** The most bytes of all clones; the least recently used are deleted. */
  readonly maxCacheBytes: number
  readonly fetchTimeoutMillis: number
}

/** A clone that was made with a password is never used without one. */
const folderName = ({ credentials, repository }: RemoteLocation): string =>
  `${createHash("sha256").update(JSON.stringify([repository, credentials ?? null])).digest("hex").slice(0, 40)}.git`

const bytesIn = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = entries.filter((entry) => entry.isFile())
    .map((entry) => stat(join(entry.parentPath, entry.name)).then(({ size }) => size, () => 0))
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

const makeRoom = async ({ cacheDirectory, maxCacheBytes }: CloneLimits, kept: string): Promise<void> => {
  const names = (await readdir(cacheDirectory)).filter((name) => name.endsWith(".git") && name !== kept)
  const clones = await Promise.all(names.map(async (name) => {
    const folder = join(cacheDirectory, name)
    return { folder, bytes: await bytesIn(folder), used: (await stat(folder)).mtimeMs }
  }))
  let total = await bytesIn(join(cacheDirectory, kept))
  for (const { bytes, folder } of clones.sort((a, b) => b.used - a.used)) {
    total += bytes
    if (total > maxCacheBytes) await rm(folder, { recursive: true, force: true })
  }
}

/** Files of a killed git, which would block the next one or waste space. */
const sweep = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const left = entries.filter(({ name }) => name.startsWith("tmp_") || name.endsWith(".lock"))
  await Promise.all(left.map(({ name, parentPath }) => rm(join(parentPath, name), { recursive: true, force: true })))
}

/** Every fetch adds a pack, and many packs slow down reading. */
const MAX_PACKS = 50

const hasManyPacks = async (directory: string): Promise<boolean> =>
  (await readdir(join(directory, "objects/pack"))).filter((name) => name.endsWith(".pack")).length > MAX_PACKS

/** Ends the fetch when the clone exceeds its limit. */
const watchSize = async (directory: string, maxBytes: number, fetching: AbortController): Promise<boolean> => {
  while (!fetching.signal.aborted) {
    if (await bytesIn(directory) > maxBytes) {
      fetching.abort()
      return true
    }
    await pause(500, undefined, { signal: fetching.signal }).catch(() => undefined)
  }
  return false
}

const busy = new Map<string, Promise<unknown>>()

/** Syncs of one clone run one after the other. */
const inTurn = async <A>(directory: string, work: () => Promise<A>): Promise<A> => {
  const before = busy.get(directory) ?? Promise.resolve()
  const mine = before.then(work, work)
  busy.set(directory, mine)
  try {
    return await mine
  } finally {
    if (busy.get(directory) === mine) busy.delete(directory)
  }
}

/** Whatever names its branches have had at a time, of which one may be the folder of another. */
const refOf = (branch: string): string => `refs/branches/${createHash("sha256").update(branch).digest("hex")}`

/** The server uses another hash than the clone. */
const OTHER_HASH = /mismatched algorithms: client \w+; server (\w+)/

/**
 * Deletes a clone after a failure if it is damaged, as by a power cut, so that the next sync fetches it again. Returns
 * the failure.
 */
export const discardDamaged = async (run: GitRun, failure: unknown): Promise<unknown> => {
  const isOfSource = failure instanceof SourceGone || failure instanceof CredentialsRefused
  if (isOfSource || run.signal.aborted) return failure
  const check = ["fsck", "--connectivity-only", "--no-dangling", "--no-progress"]
  const isSound = await runGit(run, check).then(() => true, () => run.signal.aborted)
  if (!isSound) await rm(run.directory, { recursive: true, force: true })
  return failure
}

/** Fetches one branch. Returns how to run git in the clone, and the branch's commit. */
export const fetchBranch = async (
  limits: CloneLimits,
  whereabouts: RemoteLocation,
  remote: Remote,
  branch: string,
  signal: AbortSignal
): Promise<{ readonly run: GitRun; readonly head: string }> => {
  const { cacheDirectory, fetchTimeoutMillis, maxRepositoryBytes } = limits
  const name = folderName(whereabouts)
  const directory = join(cacheDirectory, name)
  await prepareGit(cacheDirectory)
  const run: GitRun = { cacheDirectory, directory, signal, timeoutMillis: fetchTimeoutMillis }
  const ref = refOf(branch)
  const args = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--force",
    // From a shallow repository, whose oldest commits lack their parents.
    "--update-shallow",
    "--",
    remote.url,
    `+refs/heads/${branch}:${ref}`
  ]
  const discard = () => rm(directory, { recursive: true, force: true })
  const fetchInto = async (hash: ReadonlyArray<string>): Promise<unknown> => {
    await runGit(run, ["init", "--quiet", "--bare", "--template=", ...hash, directory])
    const fetching = new AbortController()
    const watching = watchSize(directory, maxRepositoryBytes, fetching)
    const fetchRun = { ...run, ...remote.settings, signal: AbortSignal.any([signal, fetching.signal]) }
    const outcome = await runGit(fetchRun, args).catch((error: unknown) => error)
    fetching.abort()
    if (await watching || await bytesIn(directory) > maxRepositoryBytes) {
      await discard()
      throw new FatalFailure({ message: `The repository is larger than ${maxRepositoryBytes} bytes.` })
    }
    return outcome
  }
  const fetch = async () => {
    // Left behind by a server that was killed.
    await sweep(directory)
    let outcome = await fetchInto([])
    const [, hash] = outcome instanceof Error ? OTHER_HASH.exec(outcome.message) ?? [] : []
    if (hash !== undefined) {
      await discard()
      outcome = await fetchInto([`--object-format=${hash}`])
    }
    if (outcome instanceof Error) {
      await sweep(directory)
      throw outcome
    }
    await remote.recheck().catch(async (error: unknown) => {
      await discard()
      throw error
    })
    if (await hasManyPacks(directory)) await runGit(run, ["repack", "-a", "-d", "-q"])
    await utimes(directory, new Date(), new Date())
    await makeRoom(limits, name)
    return (await runGit(run, ["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`])).trim()
  }
  const head = await inTurn(directory, () =>
    fetch().catch(async (error: unknown) => {
      throw await discardDamaged(run, error)
    }))
  return { run, head }
}

/** Of a repository that names no default branch, or one without a commit. */
const USUAL = ["main", "master"]

/** All branches, the default one first. */
export const listBranches = async (
  { cacheDirectory }: CloneLimits,
  remote: Remote,
  timeoutMillis: number,
  signal: AbortSignal
): Promise<ReadonlyArray<string>> => {
  await prepareGit(cacheDirectory)
  const { settings, url } = remote
  const run = { ...settings, cacheDirectory, directory: cacheDirectory, signal, timeoutMillis }
  const lines = (await runGit(run, ["ls-remote", "--quiet", "--symref", "--", url, "HEAD", "refs/heads/*"])).split("\n")
  const named = lines.map((line) => /^ref: refs\/heads\/(.+)\tHEAD$/.exec(line)?.[1])
  const all = lines.map((line) => /^[0-9a-f]+\trefs\/heads\/(.+)$/.exec(line)?.[1]).filter((name) => name !== undefined)
  if (all.length === 0) throw new SourceGone({ message: "The repository has no branches." })
  const first = [...named, ...USUAL].find((name) => name !== undefined && all.includes(name))
  return [...all.filter((name) => name === first), ...all.filter((name) => name !== first)]
}
