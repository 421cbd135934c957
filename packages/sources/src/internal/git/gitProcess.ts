/**
 * Runs git in isolation: it reads only our configuration, never prompts, runs no hooks, and connects only to the one
 * checked address or folder.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { getCACertificates } from "node:tls"
import {
  CredentialsRefused,
  FatalFailure,
  RetryableFailure,
  SourceGone,
  type SyncFailure
} from "@tributary/core/ports/Provider"
import { privateFolder } from "../privateFolder.ts"
import { requireGit } from "./gitVersion.ts"

/** Ends with the name of the CA file. */
const CONFIGURATION = `
[safe]
	directory = *
[core]
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	fsmonitor = false
	askPass =
	packedGitLimit = 256m
[credential]
	helper =
[gc]
	auto = 0
[maintenance]
	auto = false
[fetch]
	unpackLimit = 1
	recurseSubmodules = false
[submodule]
	recurse = false
[http]
	followRedirects = false
	lowSpeedLimit = 1
	sslCAInfo = `

/** Settings of one run as environment variables, which other users cannot read, unlike arguments. */
export type GitConfiguration = ReadonlyArray<readonly [string, string]>

export interface GitRun {
  /** The home of git, which `prepareGit` has prepared. */
  readonly cacheDirectory: string
  readonly directory: string
  readonly signal: AbortSignal
  readonly protocols?: "http:https" | "file"
  readonly configuration?: GitConfiguration
  /** Timeout of the whole run; null if the reader may take any time and no network is used. */
  readonly timeoutMillis: number | null
}

const configurationFile = (cacheDirectory: string): string => join(cacheDirectory, "gitconfig")

/** Atomically, since another git may be reading it. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  const fresh = `${path}.${randomUUID()}`
  await writeFile(fresh, text, { mode: 0o600 })
  await rename(fresh, path)
}

/** Git trusts the same certificate authorities as this process. */
export const prepareGit = async (cacheDirectory: string): Promise<void> => {
  const authorities = join(cacheDirectory, "authorities.pem")
  await requireGit()
  await privateFolder(cacheDirectory)
  await replaceFile(authorities, getCACertificates("default").join("\n"))
  await replaceFile(configurationFile(cacheDirectory), `${CONFIGURATION}${JSON.stringify(authorities)}\n`)
}

const environment = ({ cacheDirectory, configuration = [], protocols }: GitRun): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: cacheDirectory,
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: configurationFile(cacheDirectory),
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // No protocol at all if none is given.
  GIT_ALLOW_PROTOCOL: protocols ?? "none",
  GIT_CONFIG_COUNT: `${configuration.length}`,
  ...Object.fromEntries(
    configuration.flatMap(([key, value], at) => [[`GIT_CONFIG_KEY_${at}`, key], [`GIT_CONFIG_VALUE_${at}`, value]])
  )
})

const MAX_STDERR = 2_000

const failureOf = (said: string): SyncFailure => {
  const line = said.split("\n").find((line) => /^(fatal|error):/.test(line)) ?? said.split("\n")[0] ?? ""
  const message = `Git says: ${line.replace(/^(fatal|error):\s*/, "").slice(0, 300) || "nothing"}.`
  if (/Authentication failed|could not read Username|returned error: 40[13]/.test(said)) {
    return new CredentialsRefused({ message })
  }
  if (/couldn't find remote ref/i.test(said)) return new SourceGone({ message })
  if (/does not appear to be a git repository|unsupported|not a valid/i.test(said)) return new FatalFailure({ message })
  return new RetryableFailure({ message })
}

interface GitProcess {
  readonly stdin: ChildProcessWithoutNullStreams["stdin"]
  readonly stdout: AsyncIterable<Buffer>
  /** Resolves when git exits successfully; otherwise throws. */
  readonly ended: Promise<void>
  readonly end: () => void
}

export const startGit = (run: GitRun, args: ReadonlyArray<string>): GitProcess => {
  const child = spawn("git", ["--git-dir", run.directory, ...args], {
    cwd: run.cacheDirectory,
    env: environment(run),
    // A separate process group, so that children of git end with it.
    detached: true
  })
  let said = ""
  let overdue = false
  child.stderr.on("data", (part: Buffer) => {
    if (said.length < MAX_STDERR) said += part.toString("utf8")
  })
  child.stdin.on("error", () => undefined)
  const end = () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, "SIGKILL")
    } catch {
      child.kill("SIGKILL")
    }
  }
  const late = run.timeoutMillis === null ? undefined : setTimeout(() => {
    overdue = true
    end()
  }, run.timeoutMillis)
  run.signal.addEventListener("abort", end, { once: true })
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", () => reject(new FatalFailure({ message: "The program git cannot be started." })))
    child.once("close", (code) => {
      clearTimeout(late)
      run.signal.removeEventListener("abort", end)
      if (code === 0) resolve()
      else {reject(
          overdue
            ? new RetryableFailure({ message: "The repository takes too long to answer." })
            // Where the clone is on this machine is nobody's business.
            : failureOf(said.replaceAll(run.directory, "clone").replaceAll(run.cacheDirectory, "cache"))
        )}
    })
  })
  ended.catch(() => undefined)
  return { stdin: child.stdin, stdout: child.stdout, ended, end }
}

const MAX_OUTPUT = 16_777_216

/** The whole output of a short run. */
export const runGit = async (run: GitRun, args: ReadonlyArray<string>): Promise<string> => {
  const child = startGit(run, args)
  child.stdin.end()
  const parts: Array<Buffer> = []
  let length = 0
  for await (const part of child.stdout) {
    length += part.length
    if (length > MAX_OUTPUT) child.end()
    else parts.push(part)
  }
  await child.ended
  return Buffer.concat(parts).toString("utf8")
}
