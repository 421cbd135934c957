/** What a workspace may connect to, within what the operator allows. */
import * as Providers from "@tributary/core/Providers"
import { caldav } from "@tributary/sources/Caldav"
import { feed } from "@tributary/sources/Feed"
import { files } from "@tributary/sources/Files"
import { git } from "@tributary/sources/Git"
import { imap } from "@tributary/sources/Imap"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Settings } from "./Settings.ts"

/** Clones of repositories can be made again, so they may lie where a machine cleans up. */
const clonesOf = ({ storage }: Settings): string =>
  storage.kind === "memory" ? join(tmpdir(), "tributary-repositories") : join(storage.directory, "repositories")

export const layer = (settings: Settings) => {
  const { allowPrivateAddresses, fileRoots: roots } = settings
  const network = { allowPrivateAddresses }
  return Providers.layer([
    files({ roots }),
    feed(network),
    imap(network),
    caldav(network),
    git({ ...network, roots, cacheDirectory: clonesOf(settings) })
  ])
}
