import { expect, test } from "vitest";
import { toSessionTexts, toTriggerSession } from "../../console/src/shared/trigger-session.ts";

test.each([
  null,
  "weekly",
  "{% payload.thread %}",
  { id: "{% payload.thread %}", endUserId: "ada" },
])("the session %j of a trigger is what its fields show", (session) => {
  expect(toTriggerSession(toSessionTexts(session))).toEqual(session);
});

test("a session without an end user is its id; an end user without an id is sent, and refused", () => {
  expect(toTriggerSession(toSessionTexts({ id: "a", endUserId: null }))).toBe("a");
  expect(toTriggerSession({ id: "", endUserId: "ada" })).toEqual({ id: "", endUserId: "ada" });
});
