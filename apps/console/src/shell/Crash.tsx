import { Link } from "@tanstack/react-router"
import { useEffect } from "react"
import { SERVER_PATH } from "../api/server.ts"
import { Failure } from "../ui/feedback/Failure.tsx"
import { PageUnavailable } from "./PageUnavailable.ts"

const RELOAD_INTERVAL = 2_000

const isServerThere = (): Promise<boolean> =>
  fetch(`${SERVER_PATH}/console/`, { method: "HEAD", cache: "no-store" }).then(({ ok }) => ok, () => false)

/** Shown while the code of a page cannot be loaded. Retries until the server is back. */
const Waiting = () => {
  useEffect(() => {
    const look = async () => {
      if (await isServerThere()) location.reload()
    }
    const timer = setInterval(() => void look(), RELOAD_INTERVAL)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="page">
      <h1>This page is not here yet</h1>
      <p className="note warn" role="status">
        <strong>The server does not answer</strong>
        This page was not loaded before. It opens by itself as soon as the server is back.
      </p>
    </div>
  )
}

/** Shown when a page fails to render. After a new release, the files of the old one are gone. */
export const Crash = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) =>
  error instanceof PageUnavailable ? <Waiting /> : (
    <div className="page">
      <h1>This page cannot be shown</h1>
      <Failure error={error} what="Something in this page failed" retry={reset}>
        <p>If trying again does not help, reload the page: the server may have been updated.</p>
      </Failure>
    </div>
  )

export const Lost = () => (
  <div className="page">
    <h1>There is no such page</h1>
    <p>
      The address may be mistyped, or old. <Link to="/">Go to the overview</Link>
    </p>
  </div>
)
