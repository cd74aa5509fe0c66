import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runWharf } from "./run-wharf.ts";

const script = async (shell: string) => (await runWharf(["completion", shell])).stdout;

test.each([
  [
    ["wharf", ""],
    ["login", "keys", "agents", "run", "--json"],
  ],
  [["wharf", "ke"], ["keys"]],
  [
    ["wharf", "--json", "keys", ""],
    ["list", "revoke", "delete", "history", "scopes"],
  ],
  [["wharf", "keys", "list", "--in"], ["--include-revoked"]],
])("bash completes %j", { tags: "nightly" }, async (words, expected) => {
  const simulated = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _wharf; echo "\${COMPREPLY[*]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", `${await script("bash")}\n${simulated}`], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(stdout.trim().split(" ")).toEqual(expect.arrayContaining(expected));
});

test("zsh and fish have the commands and options with their descriptions", async () => {
  expect(await script("zsh")).toContain(
    "'list:List the organization'\\''s API keys, oldest first.'",
  );
  expect(await script("fish")).toContain(
    "__wharf_at '\\''keys list'\\''' -l include-revoked -d 'include revoked keys'",
  );
  expect((await runWharf(["completion", "powershell"])).exitCode).toBe(2);
});
