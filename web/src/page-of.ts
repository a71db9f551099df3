import { lazyRouteComponent } from '@tanstack/react-router';
import { serviceAnswers, unreachable } from './api/client.ts';

/**
 * A page whose code is loaded when it is first opened. When that fails because the service does not answer, that is the error: for a module
 * that is missing the router loads the document anew, and the browser would show an error page of its own.
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
