import { expect, test } from "vitest";
import { SessionRefused } from "../executions/session/occupy-session.ts";
import { conflict } from "../platform/http/problems.ts";
import { nameParams } from "./name-params.ts";

test.each([
  ["a busy session", new SessionRefused("busy"), "conversation", "conversation"],
  ["a busy session", new SessionRefused("busy"), "previous_response_id", "previous_response_id"],
  ["an agent that is not deployed, in a session", undefined, "conversation", "model"],
  ["an agent that is not deployed", undefined, undefined, "model"],
])("the conflict of %s has the parameter that it is about", async (_, cause, session, param) => {
  const names = { model: "a", text: "input", session, getPlaces: () => new Map() } as const;
  const named = nameParams(names, () => Promise.reject(conflict("x", cause)));
  await expect(named).rejects.toMatchObject({ slug: "conflict", message: "x", members: { param } });
});
