/** Options of TypeScript's compiler: each further checker would repeat most of the first one's work. */
export const ONE_CHECKER: ReadonlyArray<string> = ["--checkers", "1"]
