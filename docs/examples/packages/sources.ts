/** Workspaces may connect to feeds, and to folders below one of the given ones. */
import { feed } from "@tributary/sources/Feed"
import { files } from "@tributary/sources/Files"
import { open } from "@tributary/tributary"

await using kb = await open({ storage: "memory", providers: [feed(), files({ roots: ["/srv/handbook"] })] })
const workspace = await kb.createWorkspace({ name: "Handbook" })
for (const { name } of await workspace.providers.list()) console.log(name)
