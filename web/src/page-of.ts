import { lazyRouteComponent } from '@tanstack/react-router';
import { serviceAnswers, unreachable } from './api/client.ts';

/**
 * A page whose code is loaded on first use. If loading fails because the service is unreachable, throws that error: for a missing module
 * the router would reload the document, and the browser would show its own error page.
 *
 * @param load imports the module whose default export is the page
 */
export function pageOf<Module extends Record<string, unknown>>(load: () => Promise<Module>) {
  return lazyRouteComponent<Module, 'default'>(async () => {
    try {
      return await load();
    } catch (error) {
      throw (await serviceAnswers()) ? error : unreachable();
    }
  });
}
