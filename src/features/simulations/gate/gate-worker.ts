import { serveParent } from '../../../platform/thread-rpc/index.ts';
import { comparePages } from './compare-pages.ts';

/** The functions of the thread. */
export interface GateFunctions {
  comparePages: typeof comparePages;
}

serveParent<GateFunctions>(() => ({ comparePages }));
