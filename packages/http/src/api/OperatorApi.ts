/** What the operator of the service speaks. It stands apart so that a browser's bundle of the public interface is without it. */
import * as HttpApi from "effect/http-api/HttpApi"
import { Operator } from "./Operator.ts"

export class OperatorApi extends HttpApi.make("tributary-operator").add(Operator) {}
