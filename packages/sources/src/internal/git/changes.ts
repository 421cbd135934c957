/** What differs between two commits, and who changed each file last. */
import { type GitRun, startGit } from "./gitProcess.ts"
import { tokens } from "./tokens.ts"

export interface Change {
  readonly path: string
  /** Of its content; null when it is gone, or no file: a link, another repository. */
  readonly object: string | null
}

export interface Authorship {
  readonly author: string
  readonly date: Date
}

type Run = Omit<GitRun, "args">

async function* output(cacheDirectory: string, run: GitRun): AsyncGenerator<string> {
  const child = startGit(cacheDirectory, run)
  child.stdin.end()
  try {
    yield* tokens(child.stdout)
    await child.ended
  } finally {
    child.end()
  }
}

const FILE = /^:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]+) [^D]/

/** In the order of their paths. `from` may be a tree. */
export async function* changesBetween(
  cacheDirectory: string,
  run: Run,
  from: string,
  to: string
): AsyncGenerator<Change> {
  let entry: string | null = null
  for await (
    const token of output(cacheDirectory, { ...run, args: ["diff-tree", "-r", "-z", "--no-renames", from, to] })
  ) {
    if (entry === null) entry = token
    else {
      yield { path: token, object: FILE.exec(entry)?.[1] ?? null }
      entry = null
    }
  }
}

/** The files of a commit. */
export async function* filesOf(cacheDirectory: string, run: Run, commit: string): AsyncGenerator<string> {
  for await (const token of output(cacheDirectory, { ...run, args: ["ls-tree", "-r", "-z", commit] })) {
    const path = /^100\d+ blob [0-9a-f]+\t([^]+)$/.exec(token)?.[1]
    if (path !== undefined) yield path
  }
}

const HEADER = "\u0001"
const FORMAT = "--format=%x01%cI%x1f%an"

/** The last commits of the wanted files, newest first, until each has one. */
export const authorships = async (
  cacheDirectory: string,
  run: Run,
  head: string,
  wanted: ReadonlySet<string>
): Promise<ReadonlyMap<string, Authorship>> => {
  const found = new Map<string, Authorship>()
  if (wanted.size === 0) return found
  const args = ["log", "-z", "--no-renames", "--no-color", "--no-show-signature", "--name-only", FORMAT, head]
  let last: Authorship | null = null
  let isFirst = false
  for await (const token of output(cacheDirectory, { ...run, args })) {
    if (token.startsWith(HEADER)) {
      const [date = "", author = ""] = token.slice(1).split("\u001f")
      last = { author, date: new Date(date) }
      isFirst = true
      continue
    }
    const path = isFirst ? token.replace(/^\n/, "") : token
    isFirst = false
    if (last !== null && wanted.has(path) && !found.has(path)) found.set(path, last)
    if (found.size === wanted.size) break
  }
  return found
}
