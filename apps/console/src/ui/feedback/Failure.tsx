import type { ReactNode } from "react"
import { ApiError, isRateLimited } from "../../api/ApiError.ts"
import { Button } from "../Button.tsx"
import { Copy } from "../Copy.tsx"
import { errorMessage } from "./errorMessage.ts"
import { RateLimitNote } from "./RateLimitNote.tsx"

const ADVICE: Readonly<Record<string, string>> = {
  network_error: "The server does not answer. It may be restarting; look at whether it runs, and try again.",
  timeout: "The server took too long. Try again; if it stays slow, look at its log.",
  service_unavailable: "The server is busy or restarting. Try again in a moment.",
  authentication_error:
    "Your session has ended. Sign in again in another tab, and try again: what you filled in stays here.",
  quota_exceeded: "The plan has no room for it. Delete what is not needed, or ask the operator for a larger plan.",
  internal_server_error: "This is a fault of the server. Its log has details under the request id below."
}

const GONE = "Somebody may have removed it, or the address is of another workspace."

const RESOURCES = { doc_size: "size of a document", documents: "number of documents", storage: "storage" } as const

interface Props {
  readonly error: unknown
  readonly what?: string
  readonly retry?: (() => void) | undefined
  /** While it is tried again. */
  readonly busy?: boolean
  /** What to do, where a page knows it better. */
  readonly children?: ReactNode
}

/** What went wrong, what to do, and the request's id in the server's log. */
export const Failure = ({ busy = false, children, error, retry, what }: Props) => {
  const failure = error instanceof ApiError ? error : null
  if (isRateLimited(error) && retry !== undefined) {
    // A new refusal starts a new countdown.
    return <RateLimitNote key={error.requestId} seconds={error.retryAfter} retry={retry} />
  }
  const advice = failure?.status === 404 ? GONE : ADVICE[failure?.code ?? ""]
  return (
    <div className="note bad" role="alert">
      <strong>{what ?? "That did not work"}</strong>
      <p className="wrap-anywhere">{failure?.code === "network_error" ? advice : errorMessage(error)}</p>
      {failure !== null && failure.rejected.length > 0 && (
        <ul className="small wrap-anywhere">
          {failure.rejected.slice(0, 5).map(({ external_id, resource }) => (
            <li key={external_id}>{external_id}: no room left ({RESOURCES[resource]})</li>
          ))}
        </ul>
      )}
      {children ?? (failure?.code !== "network_error" && advice !== undefined && <p>{advice}</p>)}
      <div className="buttons">
        {retry !== undefined && failure?.status !== 404 && <Button small busy={busy} onClick={retry}>Try again</Button>}
        {failure !== null && failure.requestId !== null && (
          <span className="small">
            Request id <code className="wrap-anywhere">{failure.requestId}</code>
            <Copy text={failure.requestId} label="Copy id" />
          </span>
        )}
      </div>
    </div>
  )
}
