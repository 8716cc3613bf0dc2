import { spawnSync } from 'node:child_process';

/**
 * Returns the commit of the sources in a folder, so that results can be reproduced.
 * @returns `ed963af`; `ed963af, changed` if the sources differ from it (except for pages that a run writes); null
 * without git, as in an unpacked archive
 */
export function describeCommit(root) {
  const git = (...parameters) => spawnSync('git', parameters, { cwd: root, encoding: 'utf8' });
  const head = git('rev-parse', '--short=7', 'HEAD');
  if (head.status !== 0) return null;
  const status = git('status', '--porcelain', '--', '.', ':!docs');
  if (status.status !== 0) return null;
  return `${head.stdout.trim()}${status.stdout === '' ? '' : ', changed'}`;
}
