/** A received request. */
export type ApiRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
};

/** A response. */
export type ApiResponse = { status: number; body?: unknown; headers?: Record<string, string> };

/** A stored listener: its URL and the settings that it was created with. */
export type KeptListener = { id: string; url: string; settings: Record<string, unknown> };

/** A fake of an API, which stores its listeners in the given list. */
export type ListenerApi = {
  /** The auth parameters that it accepts. */
  auth: Readonly<Record<string, string>>;
  respond: (request: ApiRequest, listeners: KeptListener[]) => ApiResponse;
};

let made = 100;

/** Returns a unique id. */
export const newId = (): number => {
  made += 1;
  return made;
};

/** Returns a page of a list, by `page` and `per_page`. */
export const slicePage = <Item>(items: readonly Item[], query: URLSearchParams): Item[] => {
  const size = Number(query.get("per_page") ?? 30);
  const page = Number(query.get("page") ?? 1);
  return items.slice((page - 1) * size, page * size);
};
