import { killedSuite } from "./killedSuite.ts"
import { embeddedStore } from "./support/stores.ts"

killedSuite(embeddedStore())
