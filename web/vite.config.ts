import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guardrailTypesPlugin } from './guardrail-types-plugin.ts';

/** The dashboard. `scripts/build-dashboard.mjs` builds it, `scripts/dev.mjs` serves it in front of a running service. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), guardrailTypesPlugin()],
  build: {
    manifest: true,
    target: ['chrome125', 'firefox128', 'safari17.5'],
    // Inlined files would need `data:` in more of the Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
});
