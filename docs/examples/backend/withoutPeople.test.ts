/** The kit for a backend that keeps no people. */
import { knowledgeContract } from "@tributary/contract/backendContract"
import * as WithoutPeople from "./withoutPeople.ts"

knowledgeContract("memory, without people", WithoutPeople.layer)
