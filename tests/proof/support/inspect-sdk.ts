import { inspect } from 'node:util';
import { FinancialClient } from '@centavo/sdk';
import { choosePassword, randomWord, type TextRecorder } from './text-recorder.js';

/**
 * Records how `inspect` and `JSON.stringify` print SDK clients that have secrets. Also records how the errors of their requests are
 * printed, including the stacks.
 */
export async function inspectSdk(
  { secrets, recorded }: TextRecorder,
  caller: { origin: string; apiKey: string; token: string },
): Promise<void> {
  const { origin, apiKey, token } = caller;
  const show = (value: unknown) => inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true });
  const clients = [
    [origin, apiKey],
    [origin, token],
    [origin, secrets.add('forged key', `centavo_live_${randomWord()}`)],
    ['http://127.0.0.1:1', apiKey],
    [`http://user:${secrets.add('password of an address', randomWord())}@127.0.0.1:1`, apiKey],
  ] as const;
  for (const [baseUrl, bearer] of clients) {
    const open = () => new FinancialClient({ baseUrl, token: bearer, maxRetries: 0 });
    const password = secrets.add('password', choosePassword('typed'));
    const attempts: (() => unknown)[] = [
      () => recorded.push({ source: 'SDK client', text: show(open()) + JSON.stringify(open()) }),
      () => open().movements.get(bearer),
      () => open().movements.list({ accountId: bearer }),
      () => open().accounts.create({ name: 'x', type: 'cash' }),
      () => open().identity.createSession({ email: 'nobody@example.org', password }),
    ];
    for (const attempt of attempts) {
      try {
        await attempt();
      } catch (error) {
        const texts = [show(error), JSON.stringify(error), String(error), (error as Error).stack];
        recorded.push({ source: `SDK ${(error as Error).name}`, text: texts.join('\n') });
      }
    }
  }
}
