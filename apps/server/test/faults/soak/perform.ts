/** Performs one operation on a workspace. */
import { assert } from "vitest"
import * as keys from "./keys.ts"
import { CONNECTORS, type Operation } from "./operations.ts"
import * as questions from "./questions.ts"
import * as reads from "./reads.ts"
import { snapshotIsExact } from "./snapshot.ts"
import type { Workspace } from "./Workspace.ts"
import * as writes from "./writes.ts"

export const perform = async (on: Workspace, { act, ...choices }: Operation, number: number): Promise<void> => {
  on.begin(choices)
  switch (act.type) {
    case "ingest":
      return await writes.ingest(on, act, number)
    case "remove":
      return await writes.remove(on, act)
    case "removeSome":
      return await writes.removeSome(on, act)
    case "removeMatching":
      return await writes.removeMatching(on, act)
    case "emptyConnector":
      return await writes.emptyConnector(on, act)
    case "setRange":
      return await writes.setRange(on, act)
    case "refresh":
      return await writes.refresh(on, act)
    case "createKey":
      return await keys.createKey(on, act)
    case "revokeKey":
      return await keys.revokeKey(on, act)
    case "search":
      return await reads.search(on, act)
    case "searchAll":
      return await reads.searchAll(on, act)
    case "ask":
      return await questions.ask(on, act)
    case "list":
      return await reads.list(on, act)
    case "listConnector":
      return await reads.listConnector(on, act)
    case "read":
      return await reads.read(on, act)
    case "createToken":
      return await keys.createToken(on, act)
    case "listKeys":
      return await keys.listKeys(on)
    case "listJobs":
      return await questions.listJobs(on, act)
    case "rereadJob":
      return await questions.rereadJob(on, act)
    case "usage":
      return await reads.usage(on)
  }
}

/** After the last operation. */
export const checkAll = async (on: Workspace): Promise<void> => {
  on.begin({ nodes: 0x2AAAAAAA, key: 0 })
  const everything = { narrowing: {}, filter: {}, limit: 100, sort: "title", isDescending: false } as const
  await on.rests()
  await snapshotIsExact(on.servers.store, on.tenant.workspaceId)
  await reads.list(on, { ...everything, type: "list" })
  await reads.searchAll(on, { ...everything, type: "searchAll" })
  for (const connector of CONNECTORS) await reads.listConnector(on, { connector, limit: 100 })
  for (const stored of on.model.all()) {
    const document = await on.find(stored)
    assert.isDefined(document)
    on.checkText(document!, stored)
  }
  await keys.listKeys(on)
  await questions.listJobs(on, everything)
  await reads.usage(on)
}
