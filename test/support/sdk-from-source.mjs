// For `node --import`: '@spanwise/sdk' is the source of this repository, and other packages are those that it has installed.
import { registerHooks } from 'node:module';

const root = new URL('../../', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const entry = /^@spanwise\/sdk(?:\/(\w+))?$/.exec(specifier);
    if (entry)
      return { url: new URL(`packages/sdk/src/${entry[1] ? `${entry[1]}/` : ''}index.ts`, root).href, shortCircuit: true };
    const isPackage = !/^(?:[./]|node:|file:|data:)/.test(specifier);
    const outside = context.parentURL !== undefined && !context.parentURL.startsWith(root.href);
    return next(specifier, isPackage && outside ? { ...context, parentURL: new URL('package.json', root).href } : context);
  },
});
