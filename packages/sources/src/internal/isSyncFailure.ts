import {
  CredentialsRefused,
  FatalFailure,
  RetryableFailure,
  SourceGone,
  type SyncFailure
} from "@tributary/core/ports/Provider"

export const isSyncFailure = (error: unknown): error is SyncFailure =>
  error instanceof RetryableFailure || error instanceof CredentialsRefused || error instanceof SourceGone ||
  error instanceof FatalFailure
