import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { isPassing } from "../api/ApiError.ts"
import { consoleApi } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { SERVER_PATH } from "../api/server.ts"
import { AboutInvitation } from "../members/Received.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { useWork } from "../ui/feedback/useWork.ts"
import { Loading } from "./Loading.tsx"

/** Removed from the address, which appears in histories and screenshots. */
const takeToken = (): string => {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? ""
  if (location.hash !== "") history.replaceState(history.state, "", location.pathname)
  return token
}

/** The page of an invitation link, which the signed-in person or a new one accepts. */
export const Join = () => {
  const [token] = useState(takeToken)
  const navigate = useNavigate()
  const { busy, error: failed, run } = useWork()
  const { data: invitation, error, refetch } = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => consoleApi.invitationOf(token)
  })
  const me = useQuery({ queryKey: ["me"], queryFn: consoleApi.me })
  useEffect(() => {
    document.title = "Invitation · Tributary"
  }, [])
  if (error !== null) {
    return (
      <main className="alone">
        {isPassing(error)
          ? <Failure error={error} what="The invitation cannot be shown" retry={() => void refetch()} />
          : (
            <Failure error={error} what="This link does not sign in">
              <p>A link works once, for 15 minutes. The person who invited you can make a new one.</p>
            </Failure>
          )}
      </main>
    )
  }
  if (invitation === undefined || me.isPending) return <Loading />
  const join = () =>
    run(async () => {
      if (me.data === undefined) await consoleApi.signIn(token)
      else await consoleApi.acceptLink(token)
      queries.clear()
      await navigate({ to: "/", replace: true })
    })
  return (
    <main className="alone">
      <div>
        <section className="card stack">
          <h1>You are invited</h1>
          <AboutInvitation invitation={invitation} />
          {failed !== null && <Failure error={failed} what="You have not joined" />}
          <p className="soft small">
            {me.data === undefined
              ? "This makes a new user. If you have one, or your organisation signs you in, sign in first and open the link again."
              : `You join as ${me.data.user.name}${me.data.user.email === null ? "" : `, ${me.data.user.email}`}.`}
          </p>
          <div className="buttons">
            <Button kind="primary" busy={busy} onClick={() => void join()}>Join</Button>
            {me.data === undefined && <a className="button" href={`${SERVER_PATH}/console/sign-in`}>Sign in first</a>}
          </div>
        </section>
      </div>
    </main>
  )
}
