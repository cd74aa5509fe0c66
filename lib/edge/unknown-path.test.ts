import { expect, test } from "vitest";
import { describeUnknownPath, findPathProtocol } from "./unknown-path.ts";

const agent = "/v1/tenants/demo/agents/hello/a2a";

test.each([
  [`${agent}/tasks/t/pushNotificationConfigs`, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  [`${agent}/tasks/t/pushNotificationConfigs/`, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  [`/live${agent}/tasks/t/pushNotificationConfigs/c`, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  [`${agent}/extendedAgentCard`, "UNSUPPORTED_OPERATION"],
])("%s is an operation of A2A that agents do not have", (path, reason) => {
  expect(describeUnknownPath(path)).toMatchObject({
    slug: "validation-failed",
    members: { reason },
  });
  expect(findPathProtocol(path)).toBe("a2a-http");
});

test.each([
  [`${agent}/tasks/t/pushNotificationConfigs/c/d`, "a2a-http"],
  [`${agent}/`, undefined],
  ["/v1/tenants/demo/agents/hello/extendedAgentCard", undefined],
  ["/v1/tenants/demo/agents/hello/b/a2a/extendedAgentCard", undefined],
])("%s is 404", (path, protocol) => {
  expect(describeUnknownPath(path).slug).toBe("not-found");
  expect(findPathProtocol(path)).toBe(protocol);
});

const openai = "/v1/tenants/demo/openai";

test.each([
  [`${openai}/models/hello/x`, "responses, chat/completions and models"],
  [`/live${openai}/files`, "responses, chat/completions and models"],
  [`${openai}/embeddings`, "responses, chat/completions and models"],
  [`${openai}/v1/responses`, "ends with /openai"],
  [openai, "responses, chat/completions and models"],
  [`${openai}/`, "responses, chat/completions and models"],
])("%s is 404 in OpenAI's format, and says which paths exist", (path, detail) => {
  expect(describeUnknownPath(path)).toMatchObject({ slug: "not-found" });
  expect(describeUnknownPath(path).message).toContain(detail);
  expect(findPathProtocol(path)).toBe("openai");
});

test.each(["/v1/tenants/demo/openais/models", "/v1/tenants/demo/agents/openai/models"])(
  "%s is not below the base URL of the OpenAI-compatible API",
  (path) => {
    expect(findPathProtocol(path)).toBeUndefined();
  },
);
