/** The tools, in the order in which they are listed. */
import type { Tool } from "./Tool.ts"
import { addDocuments } from "./tools/addDocuments.ts"
import { ask } from "./tools/ask.ts"
import { deleteDocuments } from "./tools/deleteDocuments.ts"
import { fetch } from "./tools/fetch.ts"
import { listSources } from "./tools/listSources.ts"
import { search } from "./tools/search.ts"

export const tools: ReadonlyArray<Tool> = [search, fetch, ask, addDocuments, deleteDocuments, listSources]
