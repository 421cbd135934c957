/** A backend proves itself: here the one in memory. */
import { backendContract } from "@tributary/contract/backendContract"
import * as Memory from "@tributary/memory/Memory"

backendContract("memory", Memory.layer)
