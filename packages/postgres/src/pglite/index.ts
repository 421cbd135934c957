/** Postgres embedded in the process, and the directory that it lives in. */
export * as ControlChannel from "./ControlChannel.ts"
export { DataDirectory, DataDirectoryInUse, DataDirectoryUnusable } from "./DataDirectory.ts"
export * as PgliteClient from "./PgliteClient.ts"
export * from "./Queries.ts"
