/** The error of an attempt whose lease has expired. */
import type { JobError } from "./JobStore.ts"

export const LEASE_LOST: JobError = {
  error_code: "lease_lost",
  message: "The server that ran it stopped, or could not reach the storage."
}
