/**
 * Syncs of one mail account, of which some wait for others: servers allow an account few connections, some only four,
 * and a folder whose connection is refused would wait longer and longer.
 */

/** Besides them, one watches the account, and one may list its folders. */
const AT_ONCE = 2

interface Account {
  free: number
  /** In the order of their arrival. */
  readonly waiting: Set<() => void>
}

export class Turns {
  readonly #accounts = new Map<string, Account>()

  /** Waits for a place. Returns how to give it up. */
  async take(name: string, signal: AbortSignal): Promise<() => void> {
    const account = this.#accounts.get(name) ?? { free: AT_ONCE, waiting: new Set() }
    this.#accounts.set(name, account)
    if (account.free > 0) account.free--
    else await this.#wait(account, signal)
    return () => {
      const [next] = account.waiting
      if (next !== undefined) return next()
      if (++account.free === AT_ONCE) this.#accounts.delete(name)
    }
  }

  #wait({ waiting }: Account, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter)
        reject(signal.reason)
      }
      const enter = () => {
        waiting.delete(enter)
        signal.removeEventListener("abort", leave)
        resolve()
      }
      waiting.add(enter)
      signal.addEventListener("abort", leave, { once: true })
      if (signal.aborted) leave()
    })
  }
}
