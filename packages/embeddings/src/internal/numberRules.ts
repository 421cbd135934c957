/** What the numbers have to be that every embedding model has. */
import { wholeNumber } from "@tributary/core/model/NumberRule"

export const NUMBER_RULES = { dimensions: wholeNumber(1, 8_192), batch: wholeNumber(1, 2_048) }
