import type { Json, JsonObject } from "../../json/json.ts";

/** What a tool is to a client. */
export type OfferDescription = {
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
  readonly isReadOnly: boolean;
};

/** What came of a call. */
export type Outcome =
  | { readonly ok: true; readonly value: Json }
  /** `detail` is for the one who called. */
  | { readonly ok: false; readonly detail: string };

/** Something that a client may call. */
export type Offer = {
  /** What it would like to be called; the server makes it unique. */
  readonly name: string;
  /** Undefined when it is not there after all. */
  describe(): Promise<OfferDescription | undefined>;
  /** Rejects with what is our own fault alone. */
  call(given: JsonObject, signal: AbortSignal): Promise<Outcome>;
};
