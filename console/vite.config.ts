import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv } from "vite";

/** Paths that the development server passes on to the local stack. */
const stackPaths = [
  "/v1",
  "/problems",
  "/health",
  "/oauth2",
  "/.well-known",
  "/console/config.json",
];

export default defineConfig(({ mode }) => {
  const { PORT = "8787" } = loadEnv(mode, import.meta.dirname, "PORT");
  // The local issuer makes its addresses from the Host, so that they have the origin of the development server.
  const stack = { target: `http://127.0.0.1:${PORT}`, changeOrigin: false };
  return {
    base: "/console/",
    plugins: [react()],
    build: {
      target: "es2023",
      // Browsers that know light-dark(): what it is lowered to is invalid in custom properties.
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      // A small image inside a style sheet would need `data:` in the Content-Security-Policy.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 800,
      modulePreload: { polyfill: false },
    },
    server: { proxy: Object.fromEntries(stackPaths.map((path) => [path, stack])) },
  };
});
