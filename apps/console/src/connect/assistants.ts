/** The setup of each assistant. A test compares it with `docs/mcp.md`. */
import type { Client } from "./Client.ts"

const json = (value: object): string => JSON.stringify(value, null, 2)

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

const claudeCode: Client = {
  id: "claude-code",
  name: "Claude Code",
  about:
    "Run the command once on your machine. The file is for everyone who works on a repository: each has the key in the environment.",
  scopes: ["api:read"],
  snippets: ({ key, url }) => [
    {
      title: "In a terminal",
      code: `claude mcp add --transport http tributary ${url}/mcp --header "Authorization: Bearer ${key}"`
    },
    {
      title: ".mcp.json in the root of a repository",
      code: json({
        mcpServers: { tributary: { type: "http", url: `${url}/mcp`, headers: bearer("${TRIBUTARY_KEY}") } }
      })
    }
  ]
}

const claudeDesktop: Client = {
  id: "claude-desktop",
  name: "Claude Desktop",
  about:
    "Settings, Developer, Edit Config opens the file. It is in ~/Library/Application Support/Claude on macOS and in %APPDATA%\\Claude on Windows. Start Claude Desktop again afterwards.",
  scopes: ["api:read"],
  snippets: ({ key, url }) => [{
    title: "claude_desktop_config.json",
    code: json({
      mcpServers: {
        tributary: {
          command: "npx",
          args: ["-y", "-p", "@tributary/server", "tributary", "mcp", "--url", url],
          env: { TRIBUTARY_KEY: key }
        }
      }
    })
  }]
}

const cursor: Client = {
  id: "cursor",
  name: "Cursor",
  about:
    "This file is for all of your projects. In a project’s own .cursor/mcp.json, write ${env:TRIBUTARY_KEY} instead of the key, because the project shares it.",
  scopes: ["api:read"],
  snippets: ({ key, url }) => [{
    title: "~/.cursor/mcp.json",
    code: json({ mcpServers: { tributary: { url: `${url}/mcp`, headers: bearer(key) } } })
  }]
}

const vsCode: Client = {
  id: "vs-code",
  name: "VS Code",
  about: "VS Code asks for the key once and keeps it, so the file has none in it.",
  scopes: ["api:read"],
  snippets: ({ url }) => [{
    title: ".vscode/mcp.json in a workspace",
    code: json({
      inputs: [{ type: "promptString", id: "tributary-key", description: "Tributary API key", password: true }],
      servers: {
        tributary: { type: "http", url: `${url}/mcp`, headers: bearer("${input:tributary-key}") }
      }
    })
  }]
}

const chatGpt: Client = {
  id: "chatgpt",
  name: "ChatGPT",
  about:
    "In Settings, Apps, Advanced settings, switch on Developer mode. Then choose Create app, enter this address, and choose OAuth.",
  scopes: ["api:read"],
  snippets: ({ url }) => [{ title: "The address", code: `${url}/mcp` }],
  signsIn: true
}

const openAi: Client = {
  id: "openai",
  name: "OpenAI’s API",
  about: "A program that calls the API of OpenAI passes the key itself.",
  scopes: ["api:read"],
  snippets: ({ key, url }) => [{
    title: "One entry of tools",
    code: json({
      type: "mcp",
      server_label: "tributary",
      server_url: `${url}/mcp`,
      authorization: key,
      require_approval: "never"
    })
  }]
}

const anthropic: Client = {
  id: "anthropic",
  name: "Anthropic’s API",
  about: "A program that calls the API of Anthropic passes the key itself.",
  scopes: ["api:read"],
  snippets: ({ key, url }) => [{
    title: "Fields of a request with the header anthropic-beta: mcp-client-2025-11-20",
    code: json({
      mcp_servers: [{ type: "url", name: "tributary", url: `${url}/mcp`, authorization_token: key }],
      tools: [{ type: "mcp_toolset", mcp_server_name: "tributary" }]
    })
  }]
}

const anySdk: Client = {
  id: "mcp",
  name: "Another client of MCP",
  about:
    "Every client that can send a header connects to /mcp with the transport Streamable HTTP. The inspector tries it out.",
  scopes: ["api:read"],
  snippets: ({ key, url }) => [{
    title: "In a terminal",
    code: `npx @modelcontextprotocol/inspector --cli ${url}/mcp --transport http \\
  --header "Authorization: Bearer ${key}" --method tools/list`
  }]
}

export const ASSISTANTS: ReadonlyArray<Client> = [
  claudeCode,
  claudeDesktop,
  cursor,
  vsCode,
  chatGpt,
  openAi,
  anthropic,
  anySdk
]
