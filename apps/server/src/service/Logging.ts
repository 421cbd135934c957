/**
 * Log lines: constant text with values as annotations, on standard error; standard output is for the reports of
 * commands.
 */
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as References from "effect/References"
import type { LogFormat, Settings } from "../settings/Settings.ts"

const loggers = {
  pretty: Logger.consolePretty(),
  json: Logger.withConsoleError(Logger.formatJson)
}

export const layer = ({ logFormat, logLevel }: Settings): Layer.Layer<never> => {
  const format = Option.getOrElse(logFormat, (): LogFormat => process.stderr.isTTY ? "pretty" : "json")
  return Layer.mergeAll(
    Logger.layer([loggers[format]]),
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, logLevel)
  )
}
