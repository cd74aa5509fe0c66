import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { generateSkill as generate } from "../../lib/skill/generate-skill.ts";
import { generateSkill } from "./routes.ts";

const deps = () => ({ objects: objectStore() });

export const handler = endpoint(generateSkill, deps, async ({ body }) => generate(body));
