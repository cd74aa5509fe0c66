import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { product } from "../../infra/functions/product.ts";
import { runProduct } from "../../infra/local/run.ts";
import { likelyRequests } from "../../infra/local/seed.ts";
import { readLocalSettings } from "../../infra/local/settings.ts";

const endpoints = new Set(product.http.map(({ name }) => `Wharf-${name}`));

test("after a start only the endpoints of likely requests have a thread", {
  tags: "nightly",
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "wharf-"));
  const running = await runProduct(
    readLocalSettings({ PORT: "0", WHARF_DATA_DIR: directory }),
    () => undefined,
    { clock: "stopped" },
  );
  onTestFinished(async () => {
    await running.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const { stack } = running;
  // Workers may start at any time, such as for the events of seeding.
  const startedEndpoints = () =>
    stack
      .startedFunctions()
      .filter((name) => endpoints.has(name))
      .sort();
  expect(startedEndpoints()).toContain("Wharf-create-tenant");
  stack.keepWarm(likelyRequests);
  await vi.waitFor(
    () =>
      expect(startedEndpoints()).toEqual([
        "Wharf-execute-agent-or-test-draft",
        "Wharf-get-agent",
        "Wharf-get-current-api-key",
      ]),
    { timeout: 30_000 },
  );
});
