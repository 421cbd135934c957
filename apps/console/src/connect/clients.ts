import { ASSISTANTS } from "./assistants.ts"
import type { Client } from "./Client.ts"
import { PROGRAMS } from "./programs.ts"

export const GROUPS = [["Assistants", ASSISTANTS], ["Programs", PROGRAMS]] as const

/** The first one where the address names none that there is. */
export const clientOf = (id: string | undefined): Client =>
  [...ASSISTANTS, ...PROGRAMS].find((client) => client.id === id) ?? ASSISTANTS[0]!
