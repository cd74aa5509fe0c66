import { spawn } from "node:child_process";

/** Opens an address in the user's browser; nothing happens where there is none. */
export const openBrowser = (url: string): void => {
  const [command, ...args] = selectCommand(process.platform);
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
};

const selectCommand = (platform: string): [string, ...string[]] => {
  if (platform === "darwin") return ["open"];
  // `start` would interpret the & of the address.
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
};
