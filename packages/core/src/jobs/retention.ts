/** How long what happened is kept. */
import { Clock, Effect, Option } from "effect"
import { ASK_QUEUE } from "../ask/askJobs.ts"
import { QuestionLog } from "../ask/Questions.ts"
import { DAY, dayOf } from "../model/Day.ts"
import { SESSION_IDLE } from "../model/Session.ts"
import { MAX_HISTORY_DAYS } from "../model/UsageHistory.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"
import { AuditStore } from "../ports/AuditStore.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { JobStore } from "../ports/JobStore.ts"
import { LastWritten } from "../ports/LastWritten.ts"
import { PeopleStore } from "../ports/PeopleStore.ts"
import { QuestionStore } from "../ports/QuestionStore.ts"
import { SessionStore } from "../ports/SessionStore.ts"
import { UsageStore } from "../ports/UsageStore.ts"
import { webhookStore } from "../webhooks/webhookStore.ts"

const JOBS_KEPT = 30 * DAY
/** A busy workspace has a refresh every second, and nobody reads of them but the latest. */
const FOLLOWED_JOBS_KEPT = DAY / 24
const EVENTS_KEPT = 90 * DAY
const AUDIT_KEPT = 365 * DAY
const QUESTIONS_KEPT = 30 * DAY
const TRAFFIC_KEPT = 31 * DAY
const DELIVERIES_KEPT = 30 * DAY
const USAGE_KEPT = MAX_HISTORY_DAYS * DAY

/** A backend without people has none of these stores. */
const prunePeople = Effect.fnUntraced(function*(now: number) {
  const audit = yield* Effect.serviceOption(AuditStore)
  if (Option.isSome(audit)) yield* audit.value.prune(new Date(now - AUDIT_KEPT))
  const people = yield* Effect.serviceOption(PeopleStore)
  if (Option.isSome(people)) yield* people.value.prune(new Date(now))
  const sessions = yield* Effect.serviceOption(SessionStore)
  if (Option.isSome(sessions)) {
    yield* sessions.value.prune({ now: new Date(now), seenAfter: new Date(now - SESSION_IDLE) })
  }
})

/** Deletes what was older at `now`. */
const pruneAt = Effect.fnUntraced(function*(now: number) {
  const jobs = yield* JobStore
  yield* jobs.prune(new Date(now - JOBS_KEPT))
  yield* jobs.pruneFollowed(ASK_QUEUE, new Date(now - FOLLOWED_JOBS_KEPT))
  yield* (yield* DocumentStore).pruneEvents(new Date(now - EVENTS_KEPT))
  yield* (yield* ApiKeyStore).pruneTraffic(dayOf(now - TRAFFIC_KEPT))
  yield* (yield* UsageStore).prune(dayOf(now - USAGE_KEPT))
  yield* (yield* QuestionStore).prune(new Date((yield* QuestionLog) ? now - QUESTIONS_KEPT : now + 1))
  yield* prunePeople(now)
  yield* (yield* webhookStore).prune(new Date(now - DELIVERIES_KEPT))
})

/**
 * Returns what deletes what is older now. From one time to the next, the age of what is kept begins a day later at most,
 * and at first a day after the last write: a clock that is a year ahead for an hour must not cost a year of what
 * happened.
 */
export const pruning = Effect.map(LastWritten, (written) => {
  let latest = written
  return Effect.flatMap(Clock.currentTimeMillis, (now) => {
    latest = Math.min(now, latest + DAY)
    return pruneAt(latest)
  })
})
