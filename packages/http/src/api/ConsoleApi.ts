/** The API of the console's own pages, in addition to the public API. */
import * as HttpApi from "effect/http-api/HttpApi"
import { ConsoleSession, ConsoleSignIn } from "./ConsoleSession.ts"
import { ConsoleWorkspaces } from "./ConsoleWorkspaces.ts"

/** With a session. */
export class ConsoleApi extends HttpApi.make("tributary-console").add(ConsoleSession, ConsoleWorkspaces) {}

/** With a sign-in link. */
export class SignInApi extends HttpApi.make("tributary-sign-in").add(ConsoleSignIn) {}
