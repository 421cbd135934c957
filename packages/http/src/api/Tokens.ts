/** Tokens: derived from a key, with fewer scopes, a filter and an expiry. */
import { IssuedToken, NewToken } from "@tributary/core/model/Token"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, TokenAccess, Validation } from "./Access.ts"
import { BodyLimit, QUESTION } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"

export class Tokens extends HttpApiGroup.make("tokens").add(
  // Any valid key can create tokens of itself.
  /**
   * Make a token. A temporary credential for one of your own users. It has at most the scopes of the key, and can read
   * only the documents that match `filter`. A token with a filter cannot write. It expires with its key, and cannot
   * create tokens or workspaces.
   */
  HttpApiEndpoint.post("createToken", "/tokens", {
    payload: NewToken,
    success: IssuedToken.pipe(HttpApiSchema.status(201)),
    error: ErrorBody.bodyErrors
  }).annotate(BodyLimit, QUESTION).annotate(TokenAccess, "never")
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
