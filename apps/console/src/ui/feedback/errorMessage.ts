import { isRateLimited } from "../../api/ApiError.ts"
import { durationInWords } from "../time/duration.ts"

export const errorMessage = (error: unknown): string => {
  if (isRateLimited(error)) {
    return `This limit is used up for now. It is free again in ${durationInWords(error.retryAfter)}.`
  }
  return error instanceof Error ? error.message : String(error)
}
