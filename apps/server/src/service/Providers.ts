/** The providers of this server, within the operator's limits. */
import * as Providers from "@tributary/core/Providers"
import { caldav } from "@tributary/sources/Caldav"
import { feed } from "@tributary/sources/Feed"
import { files } from "@tributary/sources/Files"
import { git, usableGit } from "@tributary/sources/Git"
import { imap } from "@tributary/sources/Imap"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readProblem } from "@tributary/node/fileProblem"
import type { Settings } from "../settings/Settings.ts"
import { failed } from "../UsageError.ts"

/** Its name cannot be guessed, so that no other user of the machine can create it first. */
const passingFolder = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => mkdtemp(join(tmpdir(), "tributary-repositories-")),
    catch: (error) =>
      failed(
        `The folder for temporary files ${tmpdir()} cannot be used: ${readProblem(error)}. Set TMPDIR to another one.`
      )
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Clones of repositories can be fetched again, so a process without a data directory deletes them. */
const clonesOf = ({ storage }: Settings) =>
  storage.kind === "memory" ? passingFolder : Effect.succeed(join(storage.directory, "repositories"))

export const layer = (settings: Settings) =>
  Layer.unwrap(Effect.map(clonesOf(settings), (cacheDirectory) => {
    const { allowPrivateAddresses, fileRoots: roots } = settings
    const network = { allowPrivateAddresses }
    return Providers.layer([
      files({ roots }),
      feed(network),
      imap(network),
      caldav(network),
      git({ ...network, roots, cacheDirectory })
    ])
  }))

/** Reports at the start what every connection to a repository would report later. */
export const warnOfGit = usableGit.pipe(
  Effect.catch(({ message }) =>
    Effect.logWarning("connections to git repositories cannot be synced").pipe(
      Effect.annotateLogs({ reason: message })
    )
  )
)
