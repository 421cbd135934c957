/** How many connections a server may have to its database; one of them listens. */
import { wholeNumber } from "@tributary/core/model/NumberRule"

export const MAX_CONNECTIONS = wholeNumber(2, 1_000)
