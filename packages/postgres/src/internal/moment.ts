/** A moment as a parameter: in text, which every driver hands on exactly, also far from our time. */
export const moment = (date: Date | null): string | null => date === null ? null : date.toISOString()
