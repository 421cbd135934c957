/** How what is found is ranked, as values that a host may replace, each or all. */
import { PARAMETERS, type Parameters, rescore } from "@tributary/retrieval"
import { Context } from "effect"
import { fuse } from "./fuse.ts"

export interface RankingMethod {
  /** Of the ranking by words. */
  readonly parameters: Parameters
  /** Ranks the best hits by words again. */
  readonly rescore: typeof rescore
  /** Makes one ranking of that by words and that by meaning. */
  readonly fuse: typeof fuse
}

export const RANKING: RankingMethod = { parameters: PARAMETERS, rescore, fuse }

export const Ranking = Context.Reference<RankingMethod>("@tributary/core/Ranking", { defaultValue: () => RANKING })
