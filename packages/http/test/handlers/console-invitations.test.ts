// Invitations from the recipient's side: a link, or a question in the console.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OF_CONSOLE } from "../support/console.ts"
import { team } from "../support/team.ts"
import { type Answer, code, field } from "../support/wire.ts"

type Json = Readonly<Record<string, unknown>>

const list = (answer: Answer, name: string) => field<ReadonlyArray<Json>>(answer, name)

const denied = (answer: Answer) => assert.deepStrictEqual([answer.status, code(answer)], [403, "permission_denied"])

describe("A received invitation", () => {
  it.effect("creates a separate user by its link, even if others have the e-mail, and signs in no existing user", () =>
    Effect.gen(function*() {
      const { blue, blueOwner, browser, red, redMember, redOwner } = yield* team
      const body = { email: "red.member@example.com", role: "owner" }
      const link = (answer: Answer) => field<{ readonly url: string }>(answer, "link").url
      const again = yield* browser(link(yield* redOwner.api("POST", `/workspaces/${red}/invitations`, { body })))
      const other = yield* browser(link(yield* blueOwner.api("POST", `/workspaces/${blue}/invitations`, { body })))
      assert.strictEqual(new Set([again, other, redMember].map(({ user_id }) => user_id)).size, 3)
      denied(yield* again.api("GET", `/workspaces/${blue}/members`))
      denied(yield* other.api("GET", `/workspaces/${red}/members`))
      const members = list(yield* redOwner.api("GET", `/workspaces/${red}/members`), "members")
      assert.strictEqual(members.find(({ user_id }) => user_id === again.user_id)?.["email_proof"], "none")
      // They have not proven the e-mail, so it may be somebody else's.
      yield* blueOwner.api("POST", `/workspaces/${blue}/invitations`, { body })
      assert.deepStrictEqual(list(yield* again.api("GET", "/invitations"), "invitations"), [])
    }))

  it.effect("is shown before it is accepted by the user who is signed in", () =>
    Effect.gen(function*() {
      const { blue, blueOwner, redMember, send } = yield* team
      const body = { email: "new@example.com", role: "member" }
      const made = yield* blueOwner.api("POST", `/workspaces/${blue}/invitations`, { body })
      const token = field<{ readonly url: string }>(made, "link").url.split("token=")[1]!
      const show = send("POST", "/console/api/sign-in/invitation", { key: null, body: { token }, headers: OF_CONSOLE })
      const shown = yield* show
      assert.deepInclude(shown.body as Json, { workspace_name: "Blue", email: "new@example.com", role: "member" })
      const joined = yield* redMember.api("POST", "/invitations/accept-link", { body: { token } })
      assert.deepStrictEqual(joined.body, { status: "joined", workspace_id: blue })
      assert.strictEqual((yield* redMember.api("GET", `/workspaces/${blue}/members`)).status, 200)
      assert.strictEqual((yield* redMember.api("POST", "/invitations/accept-link", { body: { token } })).status, 404)
      assert.strictEqual((yield* show).status, 404)
      const actions = list(yield* blueOwner.audit(blue), "entries")
      assert.deepInclude(actions[0]!, { action: "member.joined", actor: { type: "user", id: redMember.user_id } })
    }))

  it.effect("is shown to the user with the proven e-mail, in any account, to accept or decline", () =>
    Effect.gen(function*() {
      const { browser, operate, red, redMember, redOwner } = yield* team
      const other = yield* operate("POST", "/accounts", { body: { name: "B", email: "Grace@example.com" } })
      const link = yield* operate("POST", "/sign-in-links", { body: { account_id: field(other, "account_id") } })
      const grace = yield* browser(field(link, "url"))
      const path = `/workspaces/${red}/invitations`
      const invite = redOwner.api("POST", path, { body: { email: "grace@example.com", role: "member" } })
      const received = Effect.map(grace.api("GET", "/invitations"), (answer) => list(answer, "invitations"))
      const idOf = (answer: Answer) => field<{ readonly invitation_id: string }>(answer, "invitation").invitation_id
      const first = idOf(yield* invite)
      assert.deepInclude((yield* received)[0]!, { invitation_id: first, workspace_name: "Red", role: "member" })
      for (const [method, path] of [["POST", `/invitations/${first}/accept`], ["DELETE", `/invitations/${first}`]]) {
        assert.strictEqual((yield* redMember.api(method!, path!)).status, 404)
      }
      denied(yield* grace.api("GET", `/workspaces/${red}/members`))
      assert.strictEqual((yield* grace.api("DELETE", `/invitations/${first}`)).status, 200)
      assert.deepStrictEqual(yield* received, [])
      const second = idOf(yield* invite)
      assert.strictEqual((yield* grace.api("POST", `/invitations/${second}/accept`)).status, 200)
      assert.strictEqual((yield* grace.api("GET", `/workspaces/${red}/members`)).status, 200)
      // A new account gives them no rights in this one.
      const made = yield* grace.visit("POST", "/v1/workspaces", {
        body: { name: "Mine" },
        headers: { "x-workspace-id": red }
      })
      assert.strictEqual(made.status, 403)
    }))
})
