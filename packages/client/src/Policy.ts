/** How long and how often a call is tried. One value for a client, and another for a single call where that is asked. */
import { Context, Duration } from "effect"

/** An attempt that failed, and the wait that follows it. */
export interface Retry {
  /** How many attempts there were so far, from 1. */
  readonly attempt: number
  /** Milliseconds until the next one. */
  readonly delay: number
  /** What was answered; null when nothing was. */
  readonly status: number | null
  /** Seconds that the service asked to wait, of which `delay` holds at least as many; null when it asked for none. */
  readonly retryAfter: number | null
}

export interface Policy {
  /** How often a request is sent at most; 1: never again. */
  readonly attempts: number
  /** The first wait; every further one is twice as long, and each is drawn from its upper half. */
  readonly minimumDelay: Duration.Input
  /**
   * The waits of a call together take no longer: one that would exceed it does not start. Where the service asks for it, the call
   * fails at once and says for how long.
   */
  readonly maximumWait: Duration.Input
  /** After this, one attempt counts as lost. */
  readonly attemptTimeout: Duration.Input
  /** How long a call may take with everything: a wait that would end later does not start. */
  readonly timeout: Duration.Input
  /** Is called before each wait. It must not throw. */
  readonly onRetry?: (retry: Retry) => void
}

export const DEFAULT: Policy = {
  attempts: 4,
  minimumDelay: "250 millis",
  maximumWait: "10 seconds",
  attemptTimeout: "60 seconds",
  timeout: "2 minutes"
}

/** Provide it to a call to have that call tried differently; what is absent follows the client. */
export const Override = Context.Reference<Partial<Policy>>("@tributary/client/Policy/Override", {
  defaultValue: () => ({})
})

/** The policy in milliseconds. */
export interface Limits {
  readonly attempts: number
  readonly minimumDelay: number
  readonly maximumWait: number
  readonly attemptTimeout: number
  readonly timeout: number
  readonly onRetry: (retry: Retry) => void
}

export const limitsOf = (policy: Policy): Limits => ({
  attempts: policy.attempts,
  minimumDelay: Duration.toMillis(policy.minimumDelay),
  maximumWait: Duration.toMillis(policy.maximumWait),
  attemptTimeout: Duration.toMillis(policy.attemptTimeout),
  timeout: Duration.toMillis(policy.timeout),
  onRetry: policy.onRetry ?? (() => {})
})

/** The wait before the next attempt: no sooner than the service asks, and never at the same moment as everyone else. */
export const delayBefore = (limits: Limits, attempt: number, retryAfter: number, random: number): number =>
  retryAfter + limits.minimumDelay * 2 ** (attempt - 1) * (0.5 + random / 2)
