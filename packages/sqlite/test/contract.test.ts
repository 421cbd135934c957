import { backendContract } from "@tributary/contract/backendContract"
import { join } from "node:path"
import * as Sqlite from "../src/Sqlite.ts"
import { newFolder } from "./support/newFolder.ts"

backendContract("sqlite", Sqlite.layer({ path: join(newFolder(), "tributary.db") }))
