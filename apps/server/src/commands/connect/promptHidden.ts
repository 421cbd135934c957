/** Prompts for a secret on the terminal without echo. */

const ENTER = /[\r\n\u0004]/
const CANCELLED = "\u0003"
const ERASED = /[\b\u007f]/

export const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Rejects when it is cancelled. */
export const promptHidden = (name: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { stderr, stdin } = process
    let typed: ReadonlyArray<string> = []
    const end = (settle: () => void) => {
      stdin.off("data", hear)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write("\n")
      settle()
    }
    const hear = (text: string) => {
      for (const character of text) {
        if (character === CANCELLED) return end(() => reject(new Error("cancelled")))
        if (ENTER.test(character)) return end(() => resolve(typed.join("")))
        typed = ERASED.test(character) ? typed.slice(0, -1) : [...typed, character]
      }
    }
    // Before the prompt: otherwise fast typing would be shown.
    stdin.setRawMode(true)
    stderr.write(`${name}: `)
    stdin.setEncoding("utf8")
    stdin.on("data", hear)
    stdin.resume()
  })
