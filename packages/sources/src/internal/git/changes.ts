/** The difference between two commits, and the author of each file's content. */
import type { DigestSet } from "@tributary/core/DigestSet"
import { type GitRun, startGit } from "./gitProcess.ts"
import { storableDate } from "../storable.ts"
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

const FORMAT = "--format=%x01%ct%x1f%an"
const HEADER = /^\u0001(\d*)\u001f([^]*)$/
/** What a commit did to a path, which follows, or a merge that differs from all its parents; with the resulting blob. */
const ENTRY = /^\n?:[^]* ([0-9a-f]+) [A-Z]+$/

/** A hostile history may change any number of files. */
const MAX_TOKENS = 30_000_000

/** A path and its blob. */
export const contentOf = (path: string, object: string): string => `${object} ${path}`

/**
 * Finds the last commit that gave each wanted file its content, walking back from the newest commit: a commit on a
 * branch that a merge discarded does not count. Without one, the newest counts.
 */
export const authorships = async (
  run: GitRun,
  head: string,
  wanted: DigestSet
): Promise<(content: string) => Authorship> => {
  /** For each wanted file by its number: the index of its commit, from 1. */
  const commits = new Uint32Array(wanted.size)
  const dates: Array<number> = []
  const authors: Array<string> = []
  const names = new Map<string, string>()
  const authorshipOf = (content: string): Authorship => {
    const at = Math.max(0, (commits[wanted.indexOf(content)] ?? 0) - 1)
    return { author: authors[at] ?? "", date: new Date(dates[at] ?? 0) }
  }
  if (wanted.size === 0) return authorshipOf
  const keep = (header: string): void => {
    const [, seconds = "", author = ""] = HEADER.exec(header) ?? []
    if (!names.has(author)) names.set(author, author)
    authors.push(names.get(author)!)
    dates.push(storableDate(Number(seconds) * 1_000).getTime())
  }
  const args = ["log", "-z", "-c", "--raw", "--no-abbrev", "--no-renames", "--no-color", "--no-show-signature", FORMAT]
  let found = 0
  let read = 0
  let header = ""
  let isKept = false
  let object: string | undefined
  for await (const token of output(run, [...args, head])) {
    if (++read > MAX_TOKENS) break
    if (object === undefined) {
      object = ENTRY.exec(token)?.[1]
      // A merge has an empty token between its header and its entries.
      if (object !== undefined || token === "") continue
      header = token
      isKept = read === 1
      if (isKept) keep(header)
      continue
    }
    const at = wanted.indexOf(contentOf(token, object))
    object = undefined
    if (at === -1 || commits[at] !== 0) continue
    if (!isKept) keep(header)
    isKept = true
    commits[at] = dates.length
    if (++found === wanted.size) break
  }
  return authorshipOf
}
