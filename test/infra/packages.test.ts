import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache");
let folder: string;

/** Installs a package as npm does from its file; what it depends on is in the folders above. */
const install = (name: "cli" | "client"): string => {
  const options = { cwd: join(root, name), encoding: "utf8" } as const;
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], options);
  const file = readdirSync(folder).find((entry) => entry.startsWith(`wharf-${name}-`)) ?? "";
  const target = join(folder, "node_modules/@wharf", name);
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, file), "-C", target, "--strip-components=1"]);
  return target;
};

beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "packages-"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the packed CLI is self-contained: plain JavaScript that imports nothing but Node's modules", {
  tags: "nightly",
}, () => {
  const target = install("cli");
  expect(readdirSync(target).sort()).toEqual([
    "README.md",
    "agent.schema.json",
    "dist",
    "package.json",
    "wharf.mjs",
  ]);
  const files = readdirSync(join(target, "dist")).filter((file) => file.endsWith(".js"));
  const imported = files.flatMap((file) => {
    const text = readFileSync(join(target, "dist", file), "utf8");
    const { staticImports, dynamicImports } = parseSync(file, text).module;
    return [
      ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ];
  });
  expect(imported.filter((name) => !isBuiltin(name) && !name.startsWith("./"))).toEqual([]);
  const script = join(target, "wharf.mjs");
  const help = execFileSync(process.execPath, [script, "--help"], { cwd: "/", encoding: "utf8" });
  expect(help).toContain("Usage: wharf");
  const init = ["agents", "init", "--list", "--json"];
  const list = execFileSync(process.execPath, [script, ...init], { cwd: "/", encoding: "utf8" });
  expect(JSON.parse(list).items).toHaveLength(9);
  const parts = files.filter((file) => file !== "wharf.js").map((file) => `import("./${file}")`);
  const loadAll = `await Promise.all([${parts.join(", ")}]); console.log("loaded");`;
  writeFileSync(join(target, "dist/load-all.mjs"), loadAll);
  const loaded = execFileSync(process.execPath, [join(target, "dist/load-all.mjs")]);
  expect(loaded.toString()).toBe("loaded\n");
});

test("the packed client runs, and a program that uses it compiles against its declarations", {
  tags: "nightly",
}, () => {
  const target = install("client");
  expect(readdirSync(target).sort()).toEqual(["README.md", "dist", "package.json"]);
  const program = `
    import { type Agent, unwrapBody, createClient, ProblemError } from "@wharf/client";
    const client = createClient({ baseUrl: "https://api.example.com", fetch: async () => Response.json({ items: [], nextPageToken: null }) });
    const page = await unwrapBody(client.GET("/v1/tenants/{tenant}/agents", { params: { path: { tenant: "a" } } }));
    const agents: Agent[] = page.items;
    // @ts-expect-error: the path has a tenant
    client.GET("/v1/tenants/{tenant}/agents", {}).catch(() => undefined);
    console.log(agents.length, ProblemError.name);
  `;
  writeFileSync(join(folder, "program.ts"), program);
  const tsc = join(root, "node_modules/.bin/tsc");
  const options = { cwd: folder, encoding: "utf8" } as const;
  execFileSync(
    tsc,
    [
      ...["--ignoreConfig", "program.ts", "--strict", "--module", "nodenext"],
      ...["--target", "es2022", "--types", "node", "--outDir", "."],
    ],
    options,
  );
  expect(execFileSync(process.execPath, ["program.js"], options)).toBe("0 ProblemError\n");
});
