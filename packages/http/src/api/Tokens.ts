/** Tokens: derived from a key, with fewer scopes, a filter and an expiry. */
import { IssuedToken, NewToken } from "@tributary/core/model/Token"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, ForTokens, Validation } from "./Access.ts"
import { BodyLimit, QUESTION } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"

export class Tokens extends HttpApiGroup.make("tokens").add(
  // Any valid key can create tokens of itself.
  /**
   * Make a token. A credential for one of your own users, for a while: it has at most the key's scopes, and sees only
   * the documents that `filter` shows. With a filter it only reads. It ends with its key, and makes no tokens and
   * workspaces.
   */
  HttpApiEndpoint.post("createToken", "/tokens", {
    payload: NewToken,
    success: IssuedToken.pipe(HttpApiSchema.status(201)),
    error: ErrorBody.bodyErrors
  }).annotate(BodyLimit, QUESTION).annotate(ForTokens, "never")
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
