/** Descriptions of the fields of the operator API. */
import type { Words } from "./Words.ts"

const OPERATOR: Words = {
  operator_id: "The operator's id.",
  hint: "The last four characters of the token.",
  scopes: "What the operator may do.",
  expires_at: "From when on the token is refused. Null: it does not expire."
}

export const OPERATOR_FIELDS: Readonly<Record<string, Words>> = {
  CreateAccountRequest: {
    email: "That of its owner. You vouch for it: the one who proves it to the identity provider signs in as the owner."
  },
  SetAccountOwnerRequest: {
    email: "Who is to own the account. You vouch for it. Absent or null: who owns it already."
  },
  SetAccountOwnerResponse: { user_id: "The id of the owner.", email: "The e-mail of the owner. Null: none is known." },
  CreateSignInLinkRequest: {
    account_id: "The account of the user. Absent or null: the one that is clear without.",
    email: "Whom the link signs in. You vouch for it. Absent or null: the owner of the account.",
    user_id: "Whom the link signs in, by id. Absent or null: as the other fields say."
  },
  UserSignInLink: {
    url: "Signs in whoever opens it first, once.",
    expires_at: "From when on the link signs in nobody.",
    user_id: "The id of the user whom it signs in.",
    email: "The e-mail of the user. Null: none is known."
  },
  Operator: OPERATOR,
  IssuedOperator: { ...OPERATOR, token: "The token itself. Shown here once." },
  CreateOperatorRequest: {
    scopes: "What the operator may do.",
    expires_at: "From when on the token is refused. Null or left out: it does not expire."
  },
  ListOperatorsResponse: { operators: "Newest first, without their tokens." },
  RevokeOperatorResponse: { operator_id: "The operator's id." },
  ReadOperatorLogResponse: { entries: "Oldest first." },
  OperatorLogEntry: {
    sequence: "Counts from 1 without gaps.",
    at: "When it was written.",
    operator: "Who called.",
    "operator.operator_id": "The operator's id. Null for the one whom the server's settings let in.",
    action: "The name of the operation.",
    outcome: "`begun` before it is carried out; `done` or the code of the failure afterwards.",
    subject: "What it was done to, or what it made: ids by their names.",
    request: "The body that was sent. Null without one, and in the entry of the outcome.",
    request_id: "The `X-Request-Id` of the call.",
    address: "The network address that the call came from. Null where there was none.",
    previous_hash: "The `hash` of the entry before; 64 zeros in the first.",
    hash:
      "SHA-256 of this entry as JSON without `hash`, without blanks, with the names of each object in ascending order."
  }
}
