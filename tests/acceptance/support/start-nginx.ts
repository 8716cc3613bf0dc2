import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './until.js';

/** Whether nginx is installed. Without it, tests that need it are skipped with a message. */
export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/**
 * Starts nginx in one process, with its files in `directory`, and waits until it listens.
 * @param options.site the content of the `http` block of the configuration, such as its servers
 * @param options.isListening resolves with true if nginx responds to a request
 * @returns a function that ends nginx
 */
export async function startNginx(options: {
  readonly directory: string;
  readonly site: string;
  readonly isListening: () => Promise<boolean>;
}): Promise<() => Promise<void>> {
  const { directory, site, isListening } = options;
  await mkdir(directory, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${directory};`,
  );
  const file = join(directory, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; master_process off; pid ${directory}/nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  ${temporary.join(' ')}
  ${site}
}
`,
  );
  const child = spawn('nginx', ['-p', directory, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await until('nginx answers', async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${stderr}`);
      return isListening().catch(() => false);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}
