import type { Json } from "../../../values/json/json.ts";

/** Place of a parameter in a request. */
export type ParameterLocation = "path" | "query" | "header" | "cookie" | "body";

/** A parameter of a tool, and the place of its value in the request. */
export type PlannedParameter = {
  /** Name in the tool. */
  readonly name: string;
  readonly place: ParameterLocation;
  /** Name in the document; of a body, its property, or undefined for the whole body. */
  readonly wireName: string | undefined;
  readonly required: boolean;
  readonly description: string | undefined;
  /** Unchanged from the document. */
  readonly schema: Json | undefined;
  readonly style: string;
  readonly explode: boolean;
  /** Whether the value is sent as JSON text. */
  readonly isJson: boolean;
};

/** A parameter before its tool name is assigned. */
export type WireParameter = Omit<PlannedParameter, "name">;
