/** The difference between two commits, and the last author of each file. */
import type { DigestSet } from "@tributary/core/DigestSet"
import { type GitRun, startGit } from "./gitProcess.ts"
import { tokens } from "./tokens.ts"

export interface Change {
  readonly path: string
  /** The blob id; null if it is gone, or not a file: a link or a submodule. */
  readonly object: string | null
}

export interface Authorship {
  readonly author: string
  readonly date: Date
}

async function* output(run: GitRun, args: ReadonlyArray<string>): AsyncGenerator<string> {
  const child = startGit({ ...run, timeoutMillis: null }, args)
  child.stdin.end()
  try {
    yield* tokens(child.stdout)
    await child.ended
  } finally {
    child.end()
  }
}

const FILE = /^:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]+) [^D]/

/** Sorted by path. `from` may be a tree. */
export async function* changesBetween(run: GitRun, from: string, to: string): AsyncGenerator<Change> {
  let entry: string | null = null
  for await (const token of output(run, ["diff-tree", "-r", "-z", "--no-renames", from, to])) {
    if (entry === null) entry = token
    else {
      yield { path: token, object: FILE.exec(entry)?.[1] ?? null }
      entry = null
    }
  }
}

export async function* filesOf(run: GitRun, commit: string): AsyncGenerator<string> {
  for await (const token of output(run, ["ls-tree", "-r", "-z", commit])) {
    const path = /^100\d+ blob [0-9a-f]+\t([^]+)$/.exec(token)?.[1]
    if (path !== undefined) yield path
  }
}

const HEADER = "\u0001"
const FORMAT = "--format=%x01%cI%x1f%an"

/** Finds the last commit of each wanted file, walking back from the newest commit. */
export const authorships = async (
  run: GitRun,
  head: string,
  wanted: DigestSet
): Promise<(path: string) => Authorship | undefined> => {
  /** For each wanted file by its number: the index of its commit, from 1. */
  const commits = new Uint32Array(wanted.size)
  const dates: Array<number> = []
  const authors: Array<string> = []
  const names = new Map<string, string>()
  const authorshipOf = (path: string): Authorship | undefined => {
    const commit = commits[wanted.indexOf(path)] ?? 0
    return commit === 0 ? undefined : { author: authors[commit - 1]!, date: new Date(dates[commit - 1]!) }
  }
  if (wanted.size === 0) return authorshipOf
  const args = ["log", "-z", "--no-renames", "--no-color", "--no-show-signature", "--name-only", FORMAT, head]
  let found = 0
  let header = ""
  let isKept = false
  let isFirst = false
  for await (const token of output(run, args)) {
    if (token.startsWith(HEADER)) {
      header = token.slice(1)
      isKept = false
      isFirst = true
      continue
    }
    const path = isFirst ? token.replace(/^\n/, "") : token
    isFirst = false
    const at = wanted.indexOf(path)
    if (at === -1 || commits[at] !== 0) continue
    if (!isKept) {
      const [date = "", author = ""] = header.split("\u001f")
      if (!names.has(author)) names.set(author, author)
      authors.push(names.get(author)!)
      dates.push(Date.parse(date))
      isKept = true
    }
    commits[at] = dates.length
    if (++found === wanted.size) break
  }
  return authorshipOf
}
