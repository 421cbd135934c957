/** The retry policy and timeouts of calls. A client has one value, and single calls can override it. */
import { checkNumbers, MILLISECONDS, MILLISECONDS_OR_NONE, wholeNumber } from "@tributary/core/model/NumberRule"
import { Context, Duration } from "effect"
import type { Names } from "./optionNames.ts"

/** An attempt that failed, and the wait that follows it. */
export interface Retry {
  /** The number of attempts so far, from 1. */
  readonly attempt: number
  /** Milliseconds until the next one. */
  readonly delay: number
  /** The status of the answer; null without an answer. */
  readonly status: number | null
  /** The seconds of `Retry-After`; null without it. `delay` is at least as long. */
  readonly retryAfter: number | null
}

export interface Policy {
  /** The maximum number of attempts; 1 disables retries. */
  readonly attempts: number
  /** The first wait; every further one is twice as long, and each is drawn from its upper half. */
  readonly minimumDelay: Duration.Input
  /**
   * The maximum of all waits of a call together. If `Retry-After` would exceed it, the call fails at once and reports
   * it.
   */
  readonly maximumWait: Duration.Input
  /**
   * After this, one attempt counts as lost. Absent: after a minute, or half of `timeout` if that is longer. A question,
   * and an attempt that no other one would follow, then have all of `timeout`.
   */
  readonly attemptTimeout?: Duration.Input
  /** The timeout of a call with all attempts and waits: a wait that would end later does not start. */
  readonly timeout: Duration.Input
  /** Is called before each wait. It must not throw. */
  readonly onRetry?: (retry: Retry) => void
}

export const DEFAULT: Policy = {
  attempts: 4,
  minimumDelay: "250 millis",
  maximumWait: "10 seconds",
  timeout: "2 minutes"
}

export const NAMES: Names<Policy> = {
  attempts: true,
  minimumDelay: true,
  maximumWait: true,
  attemptTimeout: true,
  timeout: true,
  onRetry: true
}

/** What the numbers of a policy have to be, with times in milliseconds. */
export const TIME_RULES = { timeout: MILLISECONDS, attemptTimeout: MILLISECONDS }
export const RETRY_RULES = {
  attempts: wholeNumber(1, 1_000),
  minimumDelay: MILLISECONDS_OR_NONE,
  maximumWait: MILLISECONDS_OR_NONE
}

/** Provide it to a call to have that call tried differently; what is absent follows the client. */
export const Override = Context.Reference<Partial<Policy>>("@tributary/client/Policy/Override", {
  defaultValue: () => ({})
})

/** The policy of one call with a timeout of its own. */
export const overrideFor = (timeout: number | undefined): Partial<Policy> => {
  checkNumbers(TIME_RULES, { timeout })
  return timeout === undefined ? {} : { timeout }
}

/** The policy in milliseconds. */
export interface Limits {
  readonly attempts: number
  readonly minimumDelay: number
  readonly maximumWait: number
  readonly attemptTimeout: number | undefined
  readonly timeout: number
  readonly onRetry: (retry: Retry) => void
}

export const limitsOf = (policy: Policy): Limits => ({
  attempts: policy.attempts,
  minimumDelay: Duration.toMillis(policy.minimumDelay),
  maximumWait: Duration.toMillis(policy.maximumWait),
  attemptTimeout: policy.attemptTimeout === undefined ? undefined : Duration.toMillis(policy.attemptTimeout),
  timeout: Duration.toMillis(policy.timeout),
  onRetry: policy.onRetry ?? (() => {})
})

/** The wait before the next attempt: no sooner than the service asks, and never at the same moment as everyone else. */
export const delayBefore = (limits: Limits, attempt: number, retryAfter: number, random: number): number =>
  retryAfter + limits.minimumDelay * 2 ** (attempt - 1) * (0.5 + random / 2)
