/** Every storage port in a file, which is created if it does not exist. */
import * as Sqlite from "@tributary/sqlite/Sqlite"

export const storage = Sqlite.layer({ path: "knowledge.db", alone: true })
