import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startLocalStack, type TestStack } from "../harness/local-stack.ts";

const windowSeconds = 5;

describe("rate limits", () => {
  let stack: TestStack;

  beforeAll(async () => {
    stack = await startLocalStack({
      settings: {
        RATE_LIMIT_REQUESTS: "12",
        RATE_LIMIT_UNAUTHENTICATED_REQUESTS: "4",
        RATE_LIMIT_WINDOW_SECONDS: String(windowSeconds),
      },
    });
  });

  afterAll(async () => {
    await stack.close();
  });

  const statuses = async (count: number, headers: Record<string, string>) => {
    const answers = [];
    for (let call = 0; call < count; call += 1) {
      const response = await fetch(`${stack.baseUrl}/v1/tenants/demo/apiKeys/scopes`, { headers });
      answers.push({
        status: response.status,
        headers: response.headers,
        body: await response.json(),
      });
    }
    return answers;
  };
  /** The beginning of a window that nothing was counted in yet. */
  const nextWindow = async () => {
    const start = Math.floor(Date.now() / 1_000 / windowSeconds);
    await expect
      .poll(() => Math.floor(Date.now() / 1_000 / windowSeconds), { timeout: 10_000, interval: 20 })
      .toBeGreaterThan(start);
  };

  test("a user over the limit gets 429 with Retry-After until the window ends; others do not", async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "busy@example.com" });
    await nextWindow();
    const answers = await statuses(14, { Authorization: `Bearer ${token}` });
    expect(answers.map(({ status }) => status)).toEqual([...Array(12).fill(200), 429, 429]);
    expect(answers.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual([
      "11",
      "10",
      "9",
      "8",
      "7",
      "6",
      "5",
      "4",
      "3",
      "2",
      "1",
      "0",
      "0",
      "0",
    ]);
    const [refused] = answers.slice(-1);
    expect(refused?.headers.get("retry-after")).toMatch(/^[1-5]$/);
    expect(refused?.headers.get("x-ratelimit-limit")).toBe("12");
    expect(refused?.body).toMatchObject({ type: "/problems/rate-limit-exceeded", status: 429 });
    const other = await stack.token({ org: "local", role: "admin", user: "calm@example.com" });
    expect((await statuses(1, { Authorization: `Bearer ${other}` }))[0]?.status).toBe(200);
    await nextWindow();
    expect((await statuses(1, { Authorization: `Bearer ${token}` }))[0]?.status).toBe(200);
  });

  test("failing calls of one address turn from 401 to 429, while good credentials still pass", async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "good@example.com" });
    await nextWindow();
    const failing = await statuses(6, { "X-API-KEY": "wharf_live_nonsense" });
    expect(failing.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429, 429]);
    expect(failing[0]?.headers.get("x-ratelimit-limit")).toBe("4");
    expect((await statuses(1, { Authorization: `Bearer ${token}` }))[0]?.status).toBe(200);
  });
});
