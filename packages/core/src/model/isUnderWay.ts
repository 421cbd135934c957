import type { SyncState } from "./Connection.ts"

/** A job is queued or running for it; no other may start. */
export const isUnderWay = ({ status }: Pick<SyncState, "status">): boolean =>
  status === "pending" || status === "running"
