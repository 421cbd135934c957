import { Link } from "@tanstack/react-router"
import { Failure } from "../ui/Failure.tsx"

/** What a page that could not be shown leaves behind. A new release of the server takes old files along: then loading anew helps. */
export const Crash = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <div className="page">
    <h1>This page cannot be shown</h1>
    <Failure error={error} what="Something in this page failed" retry={reset}>
      <p>When trying again does not help, load the page anew: the server may have been updated under it.</p>
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
