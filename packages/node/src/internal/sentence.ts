export const sentence = (error: unknown): string => error instanceof Error ? error.message : String(error)
