import { posix } from "node:path";
import { bounds, jsonBytes } from "../bounds.ts";
import type { Skill } from "../schemas.ts";
import { bundledPath } from "./bundled-path.ts";
import type { BodyLink } from "./read-markdown-body.ts";

type SkillResource = NonNullable<Skill["resources"]>[number];

const maxDescriptionLength = 500;

/** Lists the distinct bundled files that links refer to, in order, up to the limit of a skill. */
export const listResources = (
  links: readonly BodyLink[],
  warn: (warning: string) => void,
): SkillResource[] => {
  const resources = new Map<string, SkillResource>();
  let bytes = 2;
  for (const { href, text } of links) {
    const path = bundledPath(href);
    if (path === undefined || resources.has(path)) continue;
    const description = (text === "" ? posix.basename(path) : text).slice(0, maxDescriptionLength);
    const resource = { assetId: path, description: description.toWellFormed(), vectorized: false };
    bytes += jsonBytes(resource) + 1;
    const isFull = resources.size === bounds.resources || bytes > bounds.resourcesBytes;
    if (isFull || path.length > bounds.assetId) {
      warn("Some links to files were left out: they are too many or too long for a skill.");
      break;
    }
    resources.set(path, resource);
  }
  return [...resources.values()];
};
