/** The progress of a long command, on one line of standard error. */

const WIDTH = 24

/** The redraw interval in milliseconds. */
const PACE = 100

export class ProgressBar {
  readonly #isShown = process.stderr.isTTY === true
  #drawnAt = -Infinity

  /** `done` is a fraction from 0 to 1. */
  show(done: number, text: string): void {
    const now = performance.now()
    if (!this.#isShown || now - this.#drawnAt < PACE) return
    this.#drawnAt = now
    const filled = Math.round(Math.min(1, done) * WIDTH)
    const bar = `${"#".repeat(filled)}${".".repeat(WIDTH - filled)}`
    process.stderr.write(`\r[${bar}] ${String(Math.floor(Math.min(1, done) * 100)).padStart(3)} %  ${text}\u001b[K`)
  }

  clear(): void {
    if (this.#isShown && this.#drawnAt !== -Infinity) process.stderr.write("\r\u001b[K")
  }
}
