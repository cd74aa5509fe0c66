import type { Json } from "../../../json/json.ts";

/** Where in a request a parameter goes. */
export type Place = "path" | "query" | "header" | "cookie" | "body";

/** A parameter of a tool, and where in the request its value goes. */
export type PlannedParameter = {
  /** The tool's name for it. */
  readonly name: string;
  readonly place: Place;
  /** The document's name for it; a body's property, or undefined for the body as a whole. */
  readonly wireName: string | undefined;
  readonly required: boolean;
  readonly description: string | undefined;
  /** As it stands in the document. */
  readonly schema: Json | undefined;
  readonly style: string;
  readonly explode: boolean;
  /** The value is sent as JSON text. */
  readonly isJson: boolean;
};

/** A parameter that has no name of the tool's yet. */
export type WireParameter = Omit<PlannedParameter, "name">;
