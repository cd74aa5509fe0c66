import type { Command } from "commander";
import { isShell, renderCompletion } from "../../completion/render-completion.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";

/** Runs `wharf completion`. */
export const printCompletion = async (
  { shell }: { shell: string },
  io: Io,
  program: Command,
): Promise<void> => {
  if (!isShell(shell)) throw usage("<shell> must be bash, zsh or fish.");
  io.stdout.write(renderCompletion(shell, program));
};
