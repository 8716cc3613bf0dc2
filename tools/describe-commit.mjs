import { spawnSync } from 'node:child_process';

/**
 * The commit that the sources in a folder are at, without which nobody can look again at what was found about them.
 * @returns `ed963af`; `ed963af, changed` where the sources differ from it (its pages may: a run writes them itself); null where
 *   git does not tell, as in an unpacked archive
 */
export function describeCommit(root) {
  const git = (...parameters) => spawnSync('git', parameters, { cwd: root, encoding: 'utf8' });
  const head = git('rev-parse', '--short=7', 'HEAD');
  if (head.status !== 0) return null;
  const status = git('status', '--porcelain', '--', '.', ':!docs');
  if (status.status !== 0) return null;
  return `${head.stdout.trim()}${status.stdout === '' ? '' : ', changed'}`;
}
