/**
 * Git repositories, over HTTP(S) or in a folder of the server's machine.
 *
 * Each branch is a resource. Its documents are the files of its latest commit, with the date and author of the last
 * commit that changed them. Hooks, submodules, filters and other transports are never used.
 */
import { resolve } from "node:path"
import { checkNumbers, MILLISECONDS, numberFrom, wholeNumber } from "@tributary/core/model/NumberRule"
import { partlySecret, type Provider, SourceGone } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { type CloneLimits, discardDamaged, fetchBranch, listBranches } from "./internal/git/Clones.ts"
import { findRemote, type Remote, type RemoteLocation } from "./internal/git/Remote.ts"
import { requireGit } from "./internal/git/gitVersion.ts"
import { syncBranch } from "./internal/git/syncBranch.ts"
import { type Network, timeoutOf } from "./internal/network/guardedAddresses.ts"
import { makeWebClient } from "./internal/network/webClient.ts"
import { attemptWithin, type Roots, stepsWithin } from "./internal/roots.ts"
import { attempt } from "./internal/steps.ts"
import { credentialsOf, LoginFields, shownAddress, soundAddress } from "./internal/webConfig.ts"

const BranchName = Schema.String.check(Schema.isPattern(/^(?![-/.])[^\0-\x20\x7f~^:?*[\\]{1,200}$/))

const GitConfig = Schema.Struct({
  repository: partlySecret(
    Schema.String.check(Schema.isPattern(/^(https?:\/\/|\/)/i), Schema.isMaxLength(2_048), soundAddress),
    shownAddress
  ).annotate({
    title: "Repository",
    description: "An https or http address, or the absolute path of a folder on the service's machine."
  }),
  branches: Schema.optionalKey(Schema.Array(BranchName).check(Schema.isMinLength(1), Schema.isMaxLength(50))).annotate({
    title: "Branches",
    description: "Default: the repository's default branch."
  }),
  ...LoginFields
})
type GitConfig = typeof GitConfig.Type

export interface GitOptions extends Network, Partial<Omit<CloneLimits, "cacheDirectory">> {
  /** The folder for clones. It must contain nothing else. */
  readonly cacheDirectory: string
  /** Local repositories can be connected only within these folders. */
  readonly roots?: Roots
  /** The most files that may have changed at once. A few kilobytes of trees can name any number of files. */
  readonly maxFiles?: number
}

const whereaboutsOf = (config: GitConfig): RemoteLocation => ({
  repository: config.repository,
  credentials: credentialsOf(config)
})

/** Fails, with a message for the operator, if this machine has no suitable git. */
export const usableGit = attempt(requireGit)

const BYTES = numberFrom(1, Number.MAX_SAFE_INTEGER)
const RULES = {
  maxFiles: wholeNumber(1, 100_000_000),
  maxRepositoryBytes: BYTES,
  maxCacheBytes: BYTES,
  fetchTimeoutMillis: MILLISECONDS
}

export const git = (options: GitOptions): Provider<GitConfig> => {
  checkNumbers(RULES, options)
  const { maxFiles = 2_000_000, roots = [] } = options
  const web = { client: makeWebClient(options), network: options }
  const limits: CloneLimits = {
    maxRepositoryBytes: 2_000_000_000,
    maxCacheBytes: 10_000_000_000,
    fetchTimeoutMillis: 600_000,
    ...options,
    // Git has this folder as its working directory, from which a relative path would be another folder.
    cacheDirectory: resolve(options.cacheDirectory)
  }
  const branchesOf = async ({ branches }: GitConfig, remote: Remote, signal: AbortSignal) => {
    const all = await listBranches(limits, remote, timeoutOf(options), signal)
    return branches === undefined ? all.slice(0, 1) : all.filter((name) => branches.includes(name))
  }
  return {
    provider: "git",
    name: "Git repository",
    config: GitConfig,
    syncDefaults: { start: null, interval_minutes: 30 },
    resources: (config) =>
      attemptWithin(roots, async (roots, signal) => {
        const remote = await findRemote(whereaboutsOf(config), { ...web, roots }, signal)
        return branchesOf(config, remote, signal)
      }),
    resourcesVary: () => true,
    sync: ({ config, ...request }) =>
      stepsWithin(roots, async function*(roots, signal) {
        const whereabouts = whereaboutsOf(config)
        const remote = await findRemote(whereabouts, { ...web, roots }, signal)
        // The branch that was the default one may still be there.
        if (config.branches === undefined && !(await branchesOf(config, remote, signal)).includes(request.resource)) {
          throw new SourceGone({ message: `${request.resource} is not the repository's default branch.` })
        }
        const { head, run } = await fetchBranch(limits, whereabouts, remote, request.resource, signal)
        try {
          yield* syncBranch({ ...request, run, head, maxFiles })
        } catch (error) {
          throw await discardDamaged(run, error)
        }
      })
  }
}
