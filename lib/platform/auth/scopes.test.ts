import { describe, expect, test } from "vitest";
import { findPreset, presets, ScopeName, scopeEntries, scopesBeyond } from "./scopes.ts";

const vocabulary = `
  agents: read write execute test
  revisions: read write deploy
  integrations: read write
  tools: read write test
  executions: read
  traces: read write
  skills: read write
  llm_providers: read write test
  datasets: read write
  assets: read write
  connectors: read write test
  chat_users: read write
  keys: read write
  organization: read write
  inbound: deliver
  mcp: invoke
`
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [resource = "", actions = ""] = line.trim().split(": ");
    return actions.split(" ").map((action) => `${resource}:${action}`);
  });

describe("scopes", () => {
  test("the catalog has the scopes of the interface, in its order, with descriptions", () => {
    expect(scopeEntries.map((entry) => entry.scope)).toEqual(vocabulary);
    expect(scopeEntries.every((entry) => entry.description.length > 5)).toBe(true);
  });

  test("presets expand to the scopes of the interface", () => {
    expect(presets.Runner).toEqual(["agents:execute", "traces:write"]);
    expect(presets.Admin).toEqual(vocabulary);
    expect(presets["Read-only"]).toEqual(vocabulary.filter((scope) => scope.endsWith(":read")));
    expect(presets.Builder).toHaveLength(14);
    expect(presets.Builder).toContain("datasets:write");
    expect(presets.Builder).not.toContain("revisions:deploy");
  });

  test("presets are found in any case, and nothing else is", () => {
    expect(findPreset("read-ONLY")).toBe(presets["Read-only"]);
    for (const name of ["", "toString", "__proto__", "constructor", "root"]) {
      expect(findPreset(name)).toBeUndefined();
    }
  });

  test("only the vocabulary is taken for a scope", () => {
    for (const scope of [
      "agents",
      "agents:",
      "agents:*",
      "Agents:read",
      "a:b",
      "constructor:name",
    ]) {
      expect(ScopeName.safeParse(scope).success, scope).toBe(false);
    }
  });

  test("scopes beyond the caller's are returned", () => {
    expect(scopesBeyond(["agents:read", "keys:write"], ["agents:read"])).toEqual(["keys:write"]);
  });
});
