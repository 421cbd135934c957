import type { SyncRequest } from "@tributary/core/ports/Provider"

/** A request without the configuration of its connection. */
export type ResourceSync = Omit<SyncRequest<unknown>, "config">
