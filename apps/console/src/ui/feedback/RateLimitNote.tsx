import { useState } from "react"
import { Button } from "../Button.tsx"
import { Countdown } from "../time/Countdown.tsx"

interface Props {
  readonly seconds: number
  readonly retry: () => void
}

/** A rate limit was reached. The request is sent again when the window ends, unless the person stops it. */
export const RateLimitNote = ({ retry, seconds }: Props) => {
  const [until] = useState(() => Date.now() + seconds * 1_000)
  const [stopped, setStopped] = useState(false)
  return (
    <div className="note warn" role="status">
      <strong>The limit of this plan is used up for now</strong>
      {stopped ? <p>Stopped. Nothing more is sent.</p> : (
        <p>
          Trying again in <Countdown until={until} onEnd={retry} />.
        </p>
      )}
      <div className="buttons">
        {stopped
          ? <Button small onClick={retry}>Try again</Button>
          : <Button small onClick={() => setStopped(true)}>Stop</Button>}
      </div>
    </div>
  )
}
