import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { ContextState } from "./ContextState.tsx"
import { useStatus } from "./useContextState.ts"

/** The state of the knowledge context, as soon as it is known. */
export const CurrentState = () => {
  const status = useStatus()
  return status.data === undefined
    ? <NotLoaded query={status} what="The state cannot be shown" />
    : <ContextState status={status.data} />
}
