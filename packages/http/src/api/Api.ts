/** The whole interface as one definition: what the server serves, the documents describe and clients speak. */
import * as HttpApi from "effect/http-api/HttpApi"
import { Connections } from "./Connections.ts"
import { Connectors } from "./Connectors.ts"
import { ConsoleSession, ConsoleSignIn } from "./ConsoleSession.ts"
import { ConsoleWorkspaces } from "./ConsoleWorkspaces.ts"
import { Documents } from "./Documents.ts"
import { Ingest } from "./Ingest.ts"
import { Knowledge } from "./Knowledge.ts"
import { Operator } from "./Operator.ts"
import { Runtime } from "./Runtime.ts"
import { Workspaces } from "./Workspaces.ts"

/** For clients, with an API key. */
export class Api extends HttpApi.make("tributary")
  .add(Knowledge, Connectors, Connections, Ingest, Documents, Runtime, Workspaces)
{}

/** For whoever runs the service. */
export class OperatorApi extends HttpApi.make("tributary-operator").add(Operator) {}

/** For the console, with a session. */
export class ConsoleApi extends HttpApi.make("tributary-console").add(ConsoleSession, ConsoleWorkspaces) {}

/** For whoever has a sign-in link. */
export class SignInApi extends HttpApi.make("tributary-sign-in").add(ConsoleSignIn) {}
