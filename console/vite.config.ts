import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv, type Plugin } from "vite";
import { parse } from "yaml";
import { AgentTemplate, templateMember } from "../lib/agents/template/agent-template.ts";
import type { TemplateFile } from "./src/templates/template-file.ts";

/** Paths that the development server passes on to the local stack. */
const stackPaths = [
  "/v1",
  "/problems",
  "/health",
  "/oauth2",
  "/.well-known",
  "/console/config.json",
];

/** Makes modules of the files with templates, so that the browser needs no parser of YAML. */
const agentTemplates: Plugin = {
  name: "agent-templates",
  transform: (text, id) => {
    if (!id.endsWith(".agent.yaml")) return undefined;
    const { [templateMember]: member, displayName, description, ...revision } = parse(text);
    const template = AgentTemplate.parse(member);
    const file: TemplateFile = { agent: { displayName, description }, revision, template };
    return { code: `export default ${JSON.stringify(file)};`, map: null };
  },
};

export default defineConfig(({ mode }) => {
  const { PORT = "8787" } = loadEnv(mode, import.meta.dirname, "PORT");
  // The local issuer makes its addresses from the Host, so that they have the origin of the development server.
  const stack = { target: `http://127.0.0.1:${PORT}`, changeOrigin: false };
  return {
    base: "/console/",
    plugins: [react(), agentTemplates],
    build: {
      target: "es2023",
      // Browsers that know light-dark(): what it is lowered to is invalid in custom properties.
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      // A small image inside a style sheet would need `data:` in the Content-Security-Policy.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 800,
      // What every page needs is one file: many small ones compress worse, and are many requests.
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } },
      },
      modulePreload: { polyfill: false },
    },
    server: { proxy: Object.fromEntries(stackPaths.map((path) => [path, stack])) },
  };
});
