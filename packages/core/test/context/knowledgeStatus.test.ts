/** What the status of a context says of builds that are due. */
import { assert, describe, it } from "@effect/vitest"
import { rebuildJob, refreshNowJob } from "../../src/context/contextJobs.ts"
import { knowledgeStatus } from "../../src/context/knowledgeStatus.ts"
import { WorkspaceId } from "../../src/model/Id.ts"
import { type Job, queuedJob } from "../../src/ports/JobStore.ts"
import type { Head } from "../../src/ports/KnowledgeStore.ts"

const WORKSPACE = WorkspaceId.make("00000000-0000-7000-8000-000000000000")

const NEVER_BUILT: Head = {
  settings: { temporal_settings: { start: null, end: null } },
  generation: 0,
  change_seq: 8,
  chunk_seq: 8,
  snapshot: null
}

const stateWith = (...jobs: ReadonlyArray<Job>) => {
  const { state, up_to_date } = knowledgeStatus(NEVER_BUILT, 8, jobs, null, null)
  return { state, up_to_date }
}

const READY = { state: "ready", up_to_date: true }

describe("a context that was never built", () => {
  it("is up to date, also while its first refresh is due", () => {
    assert.deepStrictEqual(stateWith(), READY)
    assert.deepStrictEqual(stateWith(queuedJob(refreshNowJob(WORKSPACE, 0))), READY)
  })

  it("is not up to date while a rebuild is due, as after an import", () => {
    const due = queuedJob(rebuildJob(WORKSPACE, 0))
    const rebuilding = { state: "rebuilding", up_to_date: false }
    assert.deepStrictEqual(stateWith(due), rebuilding)
    assert.deepStrictEqual(stateWith({ ...due, status: "running", attempt: 1, started_at: new Date(0) }), rebuilding)
    const error = { error_code: "internal_server_error", message: "No room." }
    assert.deepStrictEqual(stateWith({ ...due, attempt: 5, error }), { state: "failed", up_to_date: false })
    const ended = { ...due, finished_at: new Date(0) }
    assert.deepStrictEqual(stateWith({ ...ended, status: "succeeded" }), READY)
  })
})
