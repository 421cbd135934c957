/** Signing in by links, and what a session shows. */
import { UserId, type WorkspaceId } from "@tributary/core/model/Id"
import type { Session } from "@tributary/core/model/Session"
import { type LinkSubject, PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { Effect, Option } from "effect"
import { moment, newHash, newSession, newUuid } from "./fixtures.ts"

export const newUserId = () => UserId.make(newUuid())

export const linkFor = Effect.fnUntraced(function*(subject: LinkSubject, expiresAt = moment(1_000)) {
  const link = newHash()
  yield* (yield* PeopleStore).addLink(link, subject, expiresAt)
  return link
})

/** The session that a link opens. */
export const open = Effect.fnUntraced(function*(link: string, session = newSession(), maximum = 10) {
  const hash = newHash()
  const options = { newUserId: newUserId(), maximum }
  const user = yield* (yield* SessionStore).signIn(link, session, hash, options)
  return { hash, session, user, newUserId: options.newUserId }
})

export const at = (millis: number, idle = 1_000_000) => ({ now: moment(millis), seenAfter: moment(millis - idle) })

export const signedIn = Effect.fnUntraced(function*(user_id: UserId, session?: Session) {
  return yield* open(yield* linkFor({ user_id }), session)
})

export const seen = Effect.fnUntraced(function*(hash: string, workspaceId: WorkspaceId | null = null, when = at(0)) {
  return Option.getOrNull(yield* (yield* SessionStore).authenticate(hash, workspaceId, when))
})
