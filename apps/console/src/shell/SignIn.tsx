import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { isPassing } from "../api/ApiError.ts"
import { consoleApi } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { SERVER_PATH } from "../api/server.ts"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Field } from "../ui/forms/Field.tsx"
import icon from "../icon.svg"

const PROVIDER_FAULTS: Readonly<Record<string, string>> = {
  refused: "Your identity provider knows you, but nobody here does yet. Ask an owner of a workspace for an invitation.",
  limited: "Too many attempts to sign in. Wait a quarter of an hour.",
  unavailable: "The identity provider does not answer. Try again, or use a sign-in link."
}

/** What the address has after `#`: a token, what the provider said, or that the session has ended. Taken once, and out of the address. */
const takeFragment = (): URLSearchParams => {
  const fragment = new URLSearchParams(location.hash.slice(1))
  if (location.hash !== "") history.replaceState(history.state, "", location.pathname)
  return fragment
}

/** Accepts a pasted link or the bare token. */
const tokenIn = (text: string): string => /#token=([^&\s]+)/.exec(text)?.[1] ?? text.trim()

export const SignIn = () => {
  const [fragment, setFragment] = useState(takeFragment)
  const [link, setLink] = useState("")
  const [isTried, setTried] = useState(false)
  const [failed, setFailed] = useState<{ readonly token: string; readonly error: unknown } | null>(null)
  const [busy, setBusy] = useState(fragment.has("token"))
  const { data: ways } = useQuery({ queryKey: ["sign-in"], queryFn: consoleApi.waysToSignIn })
  const navigate = useNavigate()
  const begun = useRef<string>(null)

  const signIn = (token: string) => {
    setBusy(true)
    setFailed(null)
    consoleApi.signIn(token).then(
      () => {
        queries.clear()
        return navigate({ to: "/", replace: true })
      },
      (error: unknown) => {
        setFailed({ token, error })
        setBusy(false)
      }
    )
  }

  useEffect(() => {
    document.title = "Sign in · Tributary"
    // A link that is opened while this page is shown changes only what follows `#`.
    const change = () => {
      if (location.hash !== "") setFragment(takeFragment())
    }
    addEventListener("hashchange", change)
    return () => removeEventListener("hashchange", change)
  }, [])

  useEffect(() => {
    const token = fragment.get("token")
    // A link works once.
    if (token === null || begun.current === token) return
    begun.current = token
    signIn(token)
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (tokenIn(link) === "") event.currentTarget.querySelector("input")?.focus()
    else if (!busy) signIn(tokenIn(link))
  }
  const fault = PROVIDER_FAULTS[fragment.get("error") ?? ""]

  return (
    <main className="alone">
      <div>
        <span className="brand">
          <img src={icon} alt="" />Tributary
        </span>
        <section className="card">
          <h1>Sign in</h1>
          {busy && link === ""
            ? <p role="status">Signing you in…</p>
            : (
              <>
                {fragment.has("ended") && <p className="note" role="status">Your session has ended. Sign in again.</p>}
                {fault !== undefined && <p className="note warn" role="alert">{fault}</p>}
                {failed !== null && (isPassing(failed.error)
                  ? <Failure error={failed.error} what="You are not signed in" retry={() => signIn(failed.token)} />
                  : (
                    <Failure error={failed.error} what="This link does not sign in">
                      <p>A link works once, and for 15 minutes. Get a new one as below.</p>
                    </Failure>
                  ))}
                {ways?.provider === true && (
                  <a className="button primary" href={`${SERVER_PATH}/console/api/provider`}>
                    Continue with your organisation
                  </a>
                )}
                <form className="form" onSubmit={submit}>
                  <Field
                    label="Sign-in link"
                    hint="Paste it here, or just open it."
                    fault={isTried && tokenIn(link) === "" ? "Paste your sign-in link." : null}
                  >
                    {(control) => (
                      <input
                        {...control}
                        value={link}
                        onChange={(event) => setLink(event.target.value)}
                        autoComplete="off"
                        spellCheck={false}
                        placeholder="https://…/console/sign-in#token=…"
                      />
                    )}
                  </Field>
                  <Button type="submit" busy={busy} kind={ways?.provider === true ? undefined : "primary"}>
                    Sign in
                  </Button>
                </form>
              </>
            )}
        </section>
        <section className="stack">
          <h2>How to get a link</h2>
          <p className="soft">The operator creates one on the server. It signs in the owner of the account, once.</p>
          <CodeBlock title="On the server" code="tributary console" />
          <p className="soft small">
            In a checkout of the sources:{" "}
            <code>npm run tributary -- console</code>. Everybody else is invited by an owner, under Members.
          </p>
        </section>
      </div>
    </main>
  )
}
