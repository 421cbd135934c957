import { backendContract } from "@tributary/contract/backendContract"
import { advanceIn, describePostgres, newSchema, portsIn } from "./support/database.ts"

const schema = newSchema()

describePostgres("Postgres", () => backendContract("postgres", portsIn(schema), { advance: advanceIn(schema) }))
