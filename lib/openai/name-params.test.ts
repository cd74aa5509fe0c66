import { expect, test } from "vitest";
import { NotDeployed } from "../executions/run/execute-agent.ts";
import { conflict } from "../platform/http/problems.ts";
import { nameParams } from "./name-params.ts";

test.each([
  ["a busy session", undefined, "conversation", "conversation"],
  ["a busy session", undefined, "previous_response_id", "previous_response_id"],
  ["an agent that is not deployed, in a session", new NotDeployed(), "conversation", "model"],
  ["an agent that is not deployed", new NotDeployed(), undefined, "model"],
])("the conflict of %s has the parameter that it is about", async (_, cause, session, param) => {
  const names = { model: "a", text: "input", session, getPlaces: () => new Map() } as const;
  const named = nameParams(names, () => Promise.reject(conflict("x", cause)));
  await expect(named).rejects.toMatchObject({ slug: "conflict", message: "x", members: { param } });
});
