import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { readAgain } from "../../console/src/shared/read-again.ts";

test("a first read that started before an action is repeated after it", async () => {
  const cache = new QueryClient();
  const responses = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const reads: Promise<string>[] = [];
  const list = new QueryObserver(cache, {
    queryKey: ["demo", "agents"],
    queryFn: () => {
      const response =
        responses[reads.length]?.promise ?? Promise.reject(new Error("no third read"));
      reads.push(response);
      return response;
    },
  });
  const end = list.subscribe(() => {});
  const again = readAgain(cache, [["demo", "agents"]]);
  responses[0]?.resolve("before the action");
  responses[1]?.resolve("after the action");
  await again;
  expect(reads).toHaveLength(2);
  expect(cache.getQueryData(["demo", "agents"])).toBe("after the action");
  expect(list.getCurrentResult().error).toBeNull();
  end();
});
