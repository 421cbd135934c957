/** Routes of the API with `/mcp`, which loads the package with its first request. */
import * as Http from "@tributary/http/Http"
import { Option } from "effect"

export const routes = Http.layer({
  baseUrl: "https://knowledge.example.com",
  adminToken: Option.none(),
  mcp: () => import("@tributary/mcp/HttpEndpoint")
})
