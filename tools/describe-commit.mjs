import { spawnSync } from 'node:child_process';

/**
 * Returns the commit of the sources in a folder, so that results can be reproduced.
 * @returns `ed963af`, or `ed963af, changed` if files outside `docs/` differ from the commit; null without a git
 * repository, as in an unpacked archive. Files in `docs/` do not count, because a run writes its results there
 */
export function describeCommit(root) {
  const git = (...parameters) => spawnSync('git', parameters, { cwd: root, encoding: 'utf8' });
  const head = git('rev-parse', '--short=7', 'HEAD');
  if (head.status !== 0) return null;
  const status = git('status', '--porcelain', '--', '.', ':!docs');
  if (status.status !== 0) return null;
  return `${head.stdout.trim()}${status.stdout === '' ? '' : ', changed'}`;
}
