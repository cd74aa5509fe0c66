import { join } from "node:path";
import { lockDataFolder, openDataFolder } from "../../infra/local/data-folder.ts";
import { startFixture } from "./fixture-stack.ts";

/** Runs the fixture in its own process, for tests that kill it. Prints its addresses as one line of JSON. */
const directory = process.argv[2] ?? "";
lockDataFolder(openDataFolder(join(directory, "data")));
const { baseUrl, stack } = await startFixture(directory);
console.log(JSON.stringify({ baseUrl, services: stack.services }));
