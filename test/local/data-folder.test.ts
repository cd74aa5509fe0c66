import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { dataFolderPaths, whenDeleted } from "../../infra/local/data-folder.ts";

test("the deletion of a data folder is noticed, and the message names it and how to continue", {
  tags: "nightly",
}, async () => {
  const folder = dataFolderPaths(join(mkdtempSync(join(tmpdir(), "wharf-deleted-")), "data"));
  mkdirSync(dirname(folder.issuerKey), { recursive: true });
  writeFileSync(folder.issuerKey, "");
  const deleted = whenDeleted(folder);
  rmSync(dirname(folder.directory), { recursive: true });
  const message = await deleted;
  expect(message).toContain(`The data folder ${folder.directory} was deleted`);
  expect(message).toContain("Run npm start");
});
