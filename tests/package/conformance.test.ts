import { expect, inject, test } from 'vitest';
import { tryRuntime } from './support/try-runtime.js';

const { consumer } = inject('packages');

test('the installed client passes every check of its documented behaviour over real sockets in this Node.js version', async () => {
  const { runtime, outcomes } = await tryRuntime(consumer, { words: [] });
  expect(runtime).toBe(`Node ${process.versions.node}`);
  expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== 'ok')).toEqual([]);
});
