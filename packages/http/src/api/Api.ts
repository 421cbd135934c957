/** The public API as one definition, which the server serves, the documents describe and clients use. */
import * as HttpApi from "effect/http-api/HttpApi"
import { Audit } from "./Audit.ts"
import { Connections } from "./Connections.ts"
import { Connectors } from "./Connectors.ts"
import { Documents } from "./Documents.ts"
import { Ingest } from "./Ingest.ts"
import { Knowledge } from "./Knowledge.ts"
import { Questions } from "./Questions.ts"
import { Runtime } from "./Runtime.ts"
import { Tokens } from "./Tokens.ts"
import { Webhooks } from "./Webhooks.ts"
import { Workspaces } from "./Workspaces.ts"

/** For clients, with an API key. */
export class Api extends HttpApi.make("tributary")
  .add(
    Knowledge,
    Questions,
    Connectors,
    Connections,
    Ingest,
    Documents,
    Runtime,
    Tokens,
    Webhooks,
    Workspaces,
    Audit
  )
{}
