/** The database in a data directory. */
export const FILE_NAME = "tributary.db"
