/** All commands, in the order of the help. Each loads its action when it is called. */
import type { Command } from "../../cli/Command.ts"
import { operatorCommands } from "./operatorCommands.ts"
import { JSON_ONLY } from "./options.ts"
import { storageCommands } from "./storageCommands.ts"
import { workspaceCommands } from "./workspaceCommands.ts"

export const commands: ReadonlyArray<Command> = [
  {
    name: "serve",
    summary: "Runs the server until SIGTERM or Ctrl-C.",
    options: {
      demo: { description: "on an empty store, ingests the documentation of Tributary and asks it a question" }
    },
    examples: ["tributary serve --demo", "TRIBUTARY_STORAGE=memory tributary serve"],
    load: () => import("../../serve/Serve.ts").then(({ serve }) => serve)
  },
  ...workspaceCommands,
  ...operatorCommands,
  ...storageCommands,
  {
    name: "completion",
    summary: "Prints a completion script for bash, zsh or fish.",
    positionals: { usage: "SHELL", min: 1, max: 1 },
    options: JSON_ONLY,
    examples: [
      "source <(tributary completion bash)",
      "source <(tributary completion zsh)",
      "tributary completion fish > ~/.config/fish/completions/tributary.fish"
    ],
    load: () => import("../completion.ts").then(({ completion }) => completion(commands))
  }
]
