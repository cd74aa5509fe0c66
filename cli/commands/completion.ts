import type { Command } from "commander";
import { command } from "../command.ts";
import type { Io } from "../io.ts";
import { argument } from "../options.ts";

/** Returns the row of `wharf completion`, which reads the program that it belongs to. */
export const buildCompletion = (createProgram: (io: Io) => Command) =>
  command({
    name: "completion",
    summary: "Print the completion of a shell.",
    args: { shell: argument("bash, zsh or fish") },
    notes: `bash: add "source <(wharf completion bash)" to ~/.bashrc.
zsh: add "source <(wharf completion zsh)" to ~/.zshrc, after compinit.
fish: run "wharf completion fish > ~/.config/fish/completions/wharf.fish".`,
    examples: ["wharf completion bash > ~/.wharf-completion.bash"],
    json: "the script, as without it",
    run: async (input, io) =>
      (await import("./completion/completion.ts")).printCompletion(input, io, createProgram(io)),
  });
