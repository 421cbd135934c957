/** Optional features of this server. Nearly all servers have all of them, so pages render before the response. */
import { useQuery } from "@tanstack/react-query"
import { consoleApi } from "./consoleApi.ts"

export const useServer = () =>
  useQuery({ queryKey: ["server"], queryFn: consoleApi.server, staleTime: Infinity }).data ?? { mcp: true }
