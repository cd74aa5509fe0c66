import { expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { type Tool, ToolError } from "../../engine/tools/tool.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { authorizeTool } from "./with-access-token.ts";

const descriptor: Tool["descriptor"] = {
  id: "me",
  displayName: "Me",
  description: "",
  parametersMetadata: [],
  actionType: "ReadOnly",
  resultType: "Json",
};

const run = (token: string, work: Tool["run"]) => {
  const tokens = {
    get: async () => ({ value: token }),
    renew: async () => ({ value: token }),
    askFor: async () => undefined,
  };
  const { signal } = new AbortController();
  const context = { clock: () => 0, signal, processor: testProcessor() };
  return authorizeTool({ descriptor, run: work }, tokens).run({}, context);
};

const tokens = ["access-token-1", 'with "quotes" and \\'];

test.each(tokens)(
  "a result of an API that returns the access token %j has a mask in its place",
  async (token) => {
    const result = await run(token, async (_, { accessToken }) => ({
      headers: [`Bearer ${accessToken?.value}`],
      name: "Ada",
    }));
    expect(result).toEqual({ headers: ["Bearer ********"], name: "Ada" });
  },
);

test.each(tokens)("an error with the access token %j has a mask in its place", async (token) => {
  const failing = run(token, async (_, { accessToken }) => {
    throw new ToolError(`Bearer ${accessToken?.value} is unknown`);
  });
  await expect(failing).rejects.toThrow(new ToolError("Bearer ******** is unknown"));
});

test.each([
  ["no error", [], 2],
  ["invalid_token", ["invalid_token"], 2],
  ["invalid_dpop_proof", ["invalid_dpop_proof"], 1],
  ["use_dpop_nonce", ["use_dpop_nonce"], 1],
  ["insufficient_scope", ["insufficient_scope"], 1],
  ["insufficient_user_authentication", ["insufficient_user_authentication"], 1],
  ["invalid_request", ["invalid_request"], 1],
  ["two errors that are not of the token", ["invalid_request", "invalid_dpop_proof"], 1],
  ["unauthorized", ["unauthorized"], 2],
  ["expired_token", ["expired_token"], 2],
  ["token_expired", ["token_expired"], 2],
  ["an error with a space", ["invalid token"], 2],
  ["an error that it made up", ["blocked"], 2],
  ["invalid_token after another error", ["use_dpop_nonce", "invalid_token"], 2],
])(
  "a call that is refused for %s is sent with another token only if that may help",
  async (_, tokenErrors, times) => {
    let calls = 0;
    const failing = run("access-token-1", async () => {
      calls += 1;
      const details = { upstream: "api.example", upstreamStatus: 401, tokenErrors };
      throw new UpstreamError("api.example responded with status 401.", details);
    });
    await expect(failing).rejects.toBeInstanceOf(UpstreamError);
    expect(calls).toBe(times);
  },
);

test.each([
  [false, 2],
  [true, 1],
])(
  "a refusal of the token by a service that acted: %s is called %d times",
  async (hasActed, times) => {
    let calls = 0;
    const failing = run("access-token-1", async () => {
      calls += 1;
      const details = { upstream: "api.example", upstreamStatus: 401, hasActed };
      throw new UpstreamError("api.example responded with status 401.", details);
    });
    await expect(failing).rejects.toBeInstanceOf(UpstreamError);
    expect(calls).toBe(times);
  },
);
