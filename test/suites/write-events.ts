import { mkdir, rm, writeFile } from "node:fs/promises";
import { routes } from "../../functions/routes.ts";
import { consumers } from "../../functions/workers/messages.ts";
import { schedules } from "../../functions/workers/schedules.ts";
import { sampleEvents } from "./sample-event.ts";

const folder = new URL("../../events/", import.meta.url);

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, content] of sampleEvents({ routes, consumers, schedules })) {
  await writeFile(new URL(name, folder), content);
}
