import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { constructId } from "../../infra/settings/names.ts";
import { synthesized } from "./synthesized.ts";

const Metadata = z.object({
  "aws:asset:path": z.string(),
  "aws:asset:property": z.literal("Code"),
  SamResourceId: z.string(),
});

test("sam local finds each function in the templates by its operation's name, and its code beside them", async () => {
  const { resources, directory } = await synthesized();
  const found = resources("AWS::Lambda::Function").map((fn) => Metadata.parse(fn.Metadata));
  expect(found.map(({ SamResourceId }) => SamResourceId).toSorted()).toEqual(
    everyFunction(product)
      .map(({ name }) => constructId(name))
      .toSorted(),
  );
  for (const { "aws:asset:path": path } of found) {
    expect(existsSync(join(directory, path, "index.mjs")), path).toBe(true);
  }
}, 180_000);
