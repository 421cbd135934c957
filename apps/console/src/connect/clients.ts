import { ASSISTANTS } from "./assistants.ts"
import type { Client } from "./Client.ts"
import { PROGRAMS } from "./programs.ts"

export type Group = readonly [title: string, clients: ReadonlyArray<Client>]

/** Assistants only where the server answers them. */
export const groupsFor = ({ mcp }: { readonly mcp: boolean }): ReadonlyArray<Group> => [
  ...mcp ? [["Assistants", ASSISTANTS] as const] : [],
  ["Programs", PROGRAMS]
]

/** The first one where the address names none that there is. */
export const clientOf = (groups: ReadonlyArray<Group>, id: string | undefined): Client => {
  const clients = groups.flatMap(([, clients]) => clients)
  return clients.find((client) => client.id === id) ?? clients[0]!
}
