import { join } from "node:path";
import { lockDataFolder, openDataFolder } from "../../infra/local/data-folder.ts";
import { startFixture } from "./fixture-stack.ts";

/** Runs the fixture in a process of its own, for tests that kill it: says where it answers, on one line. */
const directory = process.argv[2] ?? "";
lockDataFolder(openDataFolder(join(directory, "data")));
const { baseUrl, stack } = await startFixture(directory);
console.log(JSON.stringify({ baseUrl, services: stack.services }));
