import { expect, test } from "vitest";
import { createNames } from "./names.ts";
import type { ReferenceKind } from "./references.ts";

const uuid = (n: number): string => `0193f0a0-7c4b-7000-8000-00000000000${n}`;
const configs = [
  { id: uuid(1), displayName: "Our GitHub" },
  { id: uuid(2), displayName: "Shop" },
  { id: uuid(3), displayName: "Shop" },
];
const api = {
  listNamed: async (kind: ReferenceKind) => {
    if (kind === "asset") return undefined;
    return kind === "config" ? configs : [{ id: "triage", displayName: "First line" }];
  },
};
const config = (text: string) => ({ kind: "config" as const, pointer: "/x", text });
const agent = (text: string) => ({ kind: "agent" as const, pointer: "/x", text });

test("a reference is an id, or the name of exactly one; files have precedence over the API", async () => {
  const names = createNames(api, { agent: [{ id: "triage-2", displayName: "Second line" }] });
  const asset = { kind: "asset" as const, pointer: "/x", text: "Handbook" };
  const references = [
    config("Our GitHub"),
    config(uuid(2)),
    config("Shop"),
    config("Our GitHup"),
    agent("First line"),
    agent("Second line"),
    agent("unknown"),
    asset,
  ];
  const resolved = await names.resolve(references, new Set());
  expect(Object.fromEntries(resolved)).toEqual({
    "config Our GitHub": { id: uuid(1) },
    [`config ${uuid(2)}`]: { id: uuid(2) },
    "config Shop": {
      detail: `is the name of 2 integration configs: write the id of one, ${uuid(2)}, ${uuid(3)}`,
    },
    "config Our GitHup": {
      detail: 'there is no integration config "Our GitHup"; did you mean "Our GitHub"?',
    },
    "agent First line": { id: "triage" },
    "agent Second line": { id: "triage-2" },
    "agent unknown": { id: "unknown" },
    "asset Handbook": { id: "Handbook" },
  });
});

test("an id is written as a name only if it is a uuid with a unique name, in the spelling of the file", async () => {
  const names = createNames(api, {});
  const references = [config(uuid(1)), config(uuid(2)), agent("triage"), config(uuid(3))];
  const write = await names.writer(references, new Map([[`config ${uuid(3)}`, "The second shop"]]));
  expect(references.map(write)).toEqual(["Our GitHub", uuid(2), "triage", "The second shop"]);
});
