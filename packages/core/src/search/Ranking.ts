/** The ranking as values that a host can replace, each or all. */
import { PARAMETERS, type Parameters, rescore } from "@tributary/retrieval"
import { Context } from "effect"
import { fuse } from "./fuse.ts"

export interface RankingMethod {
  /** The parameters of the lexical ranking. */
  readonly parameters: Parameters
  /** Rescores the best lexical hits. */
  readonly rescore: typeof rescore
  /** Fuses the lexical and the semantic ranking. */
  readonly fuse: typeof fuse
}

export const RANKING: RankingMethod = { parameters: PARAMETERS, rescore, fuse }

export const Ranking = Context.Reference<RankingMethod>("@tributary/core/Ranking", { defaultValue: () => RANKING })
