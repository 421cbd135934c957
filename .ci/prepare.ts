// Lays out the database that a first start of embedded storage unpacks. Not kept in the repository: bootstrap.mjs runs
// this after an install, and pack.ts before the packages are packed.

import { prepare } from "../packages/postgres/src/pglite/internal/preparedDatabase.ts"

await prepare()
