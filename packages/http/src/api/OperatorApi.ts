/** The operator API, separate so that browser bundles of the public API do not contain it. */
import * as HttpApi from "effect/http-api/HttpApi"
import { Operator } from "./Operator.ts"

export class OperatorApi extends HttpApi.make("tributary-operator").add(Operator) {}
