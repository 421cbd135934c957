import { describe } from "vitest"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import { killedSuite } from "./killedSuite.ts"
import { postgresStore } from "./support/stores.ts"

if (databaseUrl === null) describe.skip("a killed server on postgres")
else killedSuite(postgresStore(databaseUrl))
