import type { AskJob } from "../api/models.ts"

/** The job has not ended yet. */
export const isOpen = ({ status }: Pick<AskJob, "status">): boolean => status === "queued" || status === "running"
