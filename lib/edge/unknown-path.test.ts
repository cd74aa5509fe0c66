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
