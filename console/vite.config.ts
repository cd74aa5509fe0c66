import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The local stack, for the development server. */
const api = "http://127.0.0.1:8787";

export default defineConfig({
  base: "/console/",
  plugins: [react()],
  build: {
    target: "es2023",
    // A small image inside a style sheet would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      ["/v1", "/problems", "/health", "/oauth2", "/.well-known", "/console/config.json"].map(
        // The issuer and the addresses of the API are those of the page, so the Host header stays.
        (path) => [path, { target: api, changeOrigin: false }],
      ),
    ),
  },
});
