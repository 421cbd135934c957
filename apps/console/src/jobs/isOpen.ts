import type { AskJob } from "../api/models.ts"

/** There is an answer to come. */
export const isOpen = ({ status }: Pick<AskJob, "status">): boolean => status === "queued" || status === "running"
