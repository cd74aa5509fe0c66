import { expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import type { Tool } from "../../engine/tools/tool.ts";
import { authorizeTool } from "./with-access-token.ts";

test.each(["access-token-1", 'with "quotes" and \\'])(
  "a result of an API that returns the access token %j has a mask in its place",
  async (token) => {
    const tool: Tool = {
      descriptor: {
        id: "me",
        displayName: "Me",
        description: "",
        parametersMetadata: [],
        actionType: "ReadOnly",
        resultType: "Json",
      },
      run: async (_, { accessToken = "" }) => ({ headers: [`Bearer ${accessToken}`], name: "Ada" }),
    };
    const tokens = { get: async () => token, renew: async () => token };
    const { signal } = new AbortController();
    const context = { clock: () => 0, signal, processor: testProcessor() };
    const result = await authorizeTool(tool, tokens).run({}, context);
    expect(result).toEqual({ headers: ["Bearer ********"], name: "Ada" });
  },
);
