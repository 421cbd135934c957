import { consoleApi } from "../api/consoleApi.ts"
import { leave } from "../api/signedOut.ts"
import { attempt } from "../ui/feedback/useWork.ts"

export const signOut = () => attempt(() => leave(consoleApi.signOut))
