/** The kit runs on the port in SQLite, together with the ports that are still in memory. */
import { backendContract } from "@tributary/contract/backendContract"
import * as Memory from "@tributary/memory/Memory"
import { Layer } from "effect"
import * as SqliteRateWindows from "./SqliteRateWindows.ts"

// Of two layers with the same port the later one counts.
backendContract("memory, with rate windows in SQLite", Layer.merge(Memory.layer, SqliteRateWindows.layer(":memory:")))
