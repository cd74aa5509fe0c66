const maxNameLength = 200;

/** Returns the last segment of a path as the name of a file; empty for none. */
export const toFileName = (text: string): string =>
  (text.split(/[/\\]/).at(-1) ?? "")
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
    .slice(0, maxNameLength)
    .toWellFormed();

const quoted = /filename="((?:[^"\\]|\\.)*)"/i;
const plainName = /filename=([^;"\s]+)/i;
const encoded = /filename\*=UTF-8''([^;\s]+)/i;

/** Returns the name of a response: that of its header Content-Disposition (RFC 6266), else the last segment of its URL. */
export const findResponseName = (disposition: string | undefined, url: string): string => {
  const header = (disposition ?? "").slice(0, 2_048);
  const [, long] = encoded.exec(header) ?? [];
  const [, short] = quoted.exec(header) ?? plainName.exec(header) ?? [];
  const { pathname } = new URL(url);
  return decode(long) || short?.replaceAll(/\\(.)/g, "$1") || decode(pathname.split("/").at(-1));
};

const decode = (text = ""): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
