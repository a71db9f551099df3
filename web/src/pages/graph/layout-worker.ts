import { layOut } from './lay-out.ts';
import type { LayoutInput } from './lay-out.ts';

// Lays out the graph off the page's thread: hundreds of nodes take longer than a frame.
globalThis.addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => {
  globalThis.postMessage(layOut(data));
});
