/** How long and how often a call is tried. One value for a client, and another for a single call where that is asked. */
import { Context, Duration } from "effect"

export interface Policy {
  /** How often a request is sent at most; 1: never again. */
  readonly attempts: number
  /** The first wait; every further one is twice as long, and each is drawn from its upper half. */
  readonly minimumDelay: Duration.Input
  /** No wait grows past this, except where the service names a longer one. */
  readonly maximumDelay: Duration.Input
  /** After this, one attempt counts as lost. */
  readonly attemptTimeout: Duration.Input
  /** How long a call may take with everything: a wait that would end later is not begun. */
  readonly timeout: Duration.Input
}

export const DEFAULT: Policy = {
  attempts: 4,
  minimumDelay: "250 millis",
  maximumDelay: "10 seconds",
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
  readonly maximumDelay: number
  readonly attemptTimeout: number
  readonly timeout: number
}

export const limitsOf = (policy: Policy): Limits => ({
  attempts: policy.attempts,
  minimumDelay: Duration.toMillis(policy.minimumDelay),
  maximumDelay: Duration.toMillis(policy.maximumDelay),
  attemptTimeout: Duration.toMillis(policy.attemptTimeout),
  timeout: Duration.toMillis(policy.timeout)
})

/** The wait before the next attempt: no sooner than the service asks, and never at the same moment as everyone else. */
export const delayBefore = (limits: Limits, attempt: number, retryAfter: number, random: number): number =>
  retryAfter + Math.min(limits.maximumDelay, limits.minimumDelay * 2 ** (attempt - 1)) * (0.5 + random / 2)
