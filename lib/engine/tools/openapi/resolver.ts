import type { WorkMeter } from "../../../platform/sandbox/work-meter.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../values/json/json.ts";
import { ToolError } from "../tool.ts";
import { getOwnMember } from "./read.ts";

const maxHops = 20;

type Meter = Pick<WorkMeter, "charge">;

/** Resolves `$ref` within one document, on demand. */
export type Resolver = {
  /**
   * The object that a value is or refers to; undefined for any other value. Members that are next
   * to a `$ref` take precedence over those of its target. Throws a ToolError for a reference that
   * leads to another document, nowhere, or in a circle.
   */
  resolve(value: Json | undefined): JsonObject | undefined;
  /** Resolves likewise, but returns undefined instead of throwing. */
  find(value: Json | undefined): JsonObject | undefined;
  /** Charges steps of work on the document. Throws a SandboxLimitError at the limit. */
  charge(steps: number): void;
};

/** Creates a resolver for the document with this root; `meter` counts its work. */
export const createResolver = (root: JsonObject, meter: Meter): Resolver => {
  const resolve = (value: Json | undefined) => resolveIn(root, value, meter);
  return {
    resolve,
    charge: (steps) => meter.charge(steps),
    find(value) {
      try {
        return resolve(value);
      } catch (error) {
        if (error instanceof ToolError) return undefined;
        throw error;
      }
    },
  };
};

const resolveIn = (
  root: JsonObject,
  value: Json | undefined,
  meter: Meter,
): JsonObject | undefined => {
  let found = value;
  let siblings: JsonObject = {};
  for (let hops = 0; hops <= maxHops; hops += 1) {
    if (found === undefined || !isJsonObject(found)) return undefined;
    meter.charge(1);
    if (typeof found.$ref !== "string" && hops === 0) return found;
    meter.charge(Object.keys(found).length);
    const { $ref, ...rest } = found;
    if (typeof $ref !== "string") return { ...found, ...siblings };
    meter.charge($ref.length);
    siblings = { ...rest, ...siblings };
    found = follow(root, $ref);
  }
  throw new ToolError("A $ref of the OpenAPI document refers to itself in a cycle.");
};

const follow = (root: JsonObject, ref: string): Json => {
  const shown = ref.slice(0, 200);
  if (!ref.startsWith("#")) {
    throw new ToolError(`The $ref "${shown}" leads to another document, which is not read.`);
  }
  if (ref === "#" || ref === "#/") return root;
  let found: Json | undefined = ref.startsWith("#/") ? root : undefined;
  for (const part of ref.slice(2).split("/")) {
    if (found === undefined) break;
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = Array.isArray(found)
      ? /^\d{1,6}$/.test(key)
        ? found[Number(key)]
        : undefined
      : getOwnMember(found, key);
  }
  if (found === undefined) throw new ToolError(`The $ref "${shown}" leads nowhere.`);
  return found;
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
