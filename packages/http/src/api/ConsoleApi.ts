/** What the console's own pages speak, beside the public interface. */
import * as HttpApi from "effect/http-api/HttpApi"
import { ConsoleSession, ConsoleSignIn } from "./ConsoleSession.ts"
import { ConsoleWorkspaces } from "./ConsoleWorkspaces.ts"

/** With a session. */
export class ConsoleApi extends HttpApi.make("tributary-console").add(ConsoleSession, ConsoleWorkspaces) {}

/** For the one who has a sign-in link. */
export class SignInApi extends HttpApi.make("tributary-sign-in").add(ConsoleSignIn) {}
