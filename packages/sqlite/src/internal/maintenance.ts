/** Maintenance of the file in the thread that writes, between transactions. */
import type { SqliteConnection } from "./SqliteConnection.ts"
import { resultCode } from "./resultCodes.ts"

const CHECKPOINT_MILLIS = 1_000
const SHRINK_MILLIS = 60_000

/** Free pages are reused; the file only shrinks when they are many. */
const MIN_FREE_PAGES = 2_000
const MIN_FREE_SHARE = 0.2
const PAGES_PER_STEP = 500

/** Gives some free pages back to the file system; says whether more should follow. */
export const shrink = (db: SqliteConnection): boolean => {
  const free = db.pragma("freelist_count")
  if (free < MIN_FREE_PAGES || free < MIN_FREE_SHARE * db.pragma("page_count")) return false
  db.exec(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`)
  return db.pragma("freelist_count") < free
}

export interface Maintenance {
  /** Copies the log into the database soon. */
  readonly committed: () => void
  readonly stop: () => void
}

/** `act` fails while the disk is full or gone. Writes report that, and the next round tries again. */
const attempt = (act: () => void): void => {
  try {
    act()
  } catch (error) {
    if (resultCode(error) === undefined) throw error
  }
}

export const startMaintenance = (db: SqliteConnection): Maintenance => {
  let checkpoint: NodeJS.Timeout | undefined
  let shrinking: NodeJS.Immediate | undefined

  const committed = (): void => {
    checkpoint ??= setTimeout(() => {
      checkpoint = undefined
      attempt(() => db.exec("PRAGMA wal_checkpoint(PASSIVE)"))
    }, CHECKPOINT_MILLIS)
  }
  const shrinkOn = (): void => {
    shrinking = undefined
    attempt(() => {
      if (!shrink(db)) return
      committed()
      shrinking = setImmediate(shrinkOn)
    })
  }
  const round = setInterval(shrinkOn, SHRINK_MILLIS)

  return {
    committed,
    stop: () => {
      clearInterval(round)
      clearTimeout(checkpoint)
      clearImmediate(shrinking)
    }
  }
}
