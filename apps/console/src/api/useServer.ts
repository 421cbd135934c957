/** What this server offers. Nearly every one has all: a page is there before the answer is. */
import { useQuery } from "@tanstack/react-query"
import { consoleApi } from "./consoleApi.ts"

export const useServer = () =>
  useQuery({ queryKey: ["server"], queryFn: consoleApi.server, staleTime: Infinity }).data ?? { mcp: true }
