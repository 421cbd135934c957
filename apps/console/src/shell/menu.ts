/** The pages of a workspace, as the menu and the search show them. */
import type { IconName } from "../ui/Icon.tsx"

const MENU = [
  ["Workspace", [
    ["/w/$workspaceId", "overview", "Overview"],
    ["/w/$workspaceId/playground", "playground", "Playground"],
    ["/w/$workspaceId/documents", "file", "Documents"],
    ["/w/$workspaceId/sources", "connections", "Sources"],
    ["/w/$workspaceId/questions", "questions", "Questions"],
    ["/w/$workspaceId/knowledge", "knowledge", "Knowledge"],
    ["/w/$workspaceId/jobs", "jobs", "Ask jobs"],
    ["/w/$workspaceId/events", "events", "Events"],
    ["/w/$workspaceId/usage", "usage", "Usage"],
    ["/w/$workspaceId/connect", "connect", "Connect"]
  ]],
  ["Settings", [
    ["/w/$workspaceId/keys", "keys", "API keys"],
    ["/w/$workspaceId/members", "members", "Members"],
    ["/w/$workspaceId/audit-log", "audit", "Audit log"],
    ["/w/$workspaceId/account", "account", "Your account"]
  ]]
] as const satisfies ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, IconName, string]>]>

/** Members may not read these. */
const OWNERS: ReadonlyArray<string> = ["keys", "audit"]

export const menuFor = (isOwner: boolean) =>
  MENU.map(([title, pages]) => [title, pages.filter(([, icon]) => isOwner || !OWNERS.includes(icon))] as const)
