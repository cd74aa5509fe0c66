import { isBuiltin } from "node:module";
import type { Plugin } from "esbuild";

const identifier = /^[A-Za-z_$][\w$]*$/;
const namespaces: { readonly [kind: string]: string } = {
  "import-statement": "builtin-members",
  "dynamic-import": "builtin",
};

/**
 * Takes Node's own modules from the process in place of imports. An import reads every member of a module, and some of them
 * load others: `node:http` loads Node's `fetch`, `node:process` creates the streams of the console. Only the members that a
 * bundle uses are read.
 */
export const builtinsFromProcess: Plugin = {
  name: "builtins-from-process",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[a-z]/ }, ({ path, kind }) => {
      const namespace = namespaces[kind];
      if (namespace === undefined || !isBuiltin(path)) return undefined;
      const name = path.startsWith("node:") ? path : `node:${path}`;
      return { path: name, namespace, sideEffects: false };
    });
    onLoad({ filter: /./, namespace: "builtin-members" }, ({ path }) => ({
      contents: readMembers(path),
    }));
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = ${readModule(path)};`,
    }));
  },
};

const readModule = (path: string): string => `process.getBuiltinModule(${JSON.stringify(path)})`;

const readMembers = (path: string): string => {
  const names = Object.getOwnPropertyNames(process.getBuiltinModule(path)).filter(
    (name) => identifier.test(name) && name !== "default",
  );
  return [
    `const members = /* @__PURE__ */ ${readModule(path)};`,
    "export default members;",
    ...names.map((name, at) => `const member${at} = /* @__PURE__ */ (() => members.${name})();`),
    `export { ${names.map((name, at) => `member${at} as ${name}`).join(", ")} };`,
  ].join("\n");
};
