/** The console's API, which exists only if the backend has people. */
import { AuditLog } from "@tributary/core/AuditLog"
import { Invitations } from "@tributary/core/Invitations"
import { People } from "@tributary/core/People"
import { ReceivedInvitations } from "@tributary/core/ReceivedInvitations"
import { Sessions } from "@tributary/core/Sessions"
import { Context, Effect, Option } from "effect"
import { ConsoleApi, SignInApi } from "./api/ConsoleApi.ts"
import type { Authorization } from "./middleware/Authorization.ts"
import { bySession, fromConsole, keyOrSession } from "./middleware/SessionAuthorization.ts"
import { addRoutes, type Gates, type Options } from "./Routes.ts"
import * as ProviderSignIn from "./signIn/ProviderSignIn.ts"
import { consoleSession, consoleSignIn } from "./handlers/ConsoleSession.ts"
import { consoleWorkspaces } from "./handlers/ConsoleWorkspaces.ts"

/** The services for people, all of them; none if the backend has no people. */
export const peopleServices = Effect.map(
  Effect.all({
    auditLog: Effect.serviceOption(AuditLog),
    invitations: Effect.serviceOption(Invitations),
    people: Effect.serviceOption(People),
    received: Effect.serviceOption(ReceivedInvitations),
    sessions: Effect.serviceOption(Sessions)
  }),
  (found) =>
    Option.map(
      Option.all(found),
      ({ auditLog, invitations, people, received, sessions }) =>
        Context.make(AuditLog, auditLog).pipe(
          Context.add(Invitations, invitations),
          Context.add(People, people),
          Context.add(ReceivedInvitations, received),
          Context.add(Sessions, sessions)
        )
    )
)

type PeopleServices = Effect.Success<typeof peopleServices>

export const addConsoleRoutes = Effect.fnUntraced(function*(gates: Gates, options: Options) {
  const { baseUrl } = options
  const handlers = {
    consoleSession: yield* consoleSession(options),
    consoleWorkspaces: yield* consoleWorkspaces(baseUrl)
  }
  yield* addRoutes(ConsoleApi, handlers, yield* bySession(baseUrl), gates, options)
  yield* addRoutes(SignInApi, { consoleSignIn: yield* consoleSignIn(baseUrl) }, fromConsole(baseUrl), gates, options)
  yield* ProviderSignIn.addRoutes(baseUrl)
})

/** Keys, and sessions if there are people. */
export const keyOrPerson = (byKey: Authorization, baseUrl: string, people: PeopleServices) =>
  Option.match(people, {
    onNone: () => Effect.succeed(byKey),
    onSome: (context) => Effect.provideContext(keyOrSession(byKey, baseUrl), context)
  })
