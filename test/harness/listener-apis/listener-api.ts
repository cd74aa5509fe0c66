/** A request that a stand-in got. */
export type ApiRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
};

/** What it answers. */
export type ApiAnswer = { status: number; body?: unknown; headers?: Record<string, string> };

/** A listener that a stand-in keeps: its URL, and all else that it was made with. */
export type KeptListener = { id: string; url: string; settings: Record<string, unknown> };

/** A stand-in for one API: its credentials, and what it does. It keeps its listeners in the given list. */
export type ListenerApi = {
  /** The auth parameters that it accepts. */
  auth: Readonly<Record<string, string>>;
  answer: (request: ApiRequest, listeners: KeptListener[]) => ApiAnswer;
};

let made = 100;

/** An id that no other listener has. */
export const newId = (): number => {
  made += 1;
  return made;
};

/** What of a list a page holds, by `page` and `per_page`. */
export const pageOf = <Item>(items: readonly Item[], query: URLSearchParams): Item[] => {
  const size = Number(query.get("per_page") ?? 30);
  const page = Number(query.get("page") ?? 1);
  return items.slice((page - 1) * size, page * size);
};
