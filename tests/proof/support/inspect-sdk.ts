import { inspect } from 'node:util';
import { FinancialClient } from '@centavo/sdk';
import { choosePassword, randomWord, type Witness } from './text-recorder.js';

/** Returns all texts of an error of the SDK and of its client. */
export async function inspectSdk(
  { secrets, said }: Witness,
  asked: { origin: string; apiKey: string; token: string },
): Promise<void> {
  const { origin, apiKey, token } = asked;
  const show = (thing: unknown) => inspect(thing, { depth: Number.POSITIVE_INFINITY, showHidden: true });
  const places = [
    [origin, apiKey],
    [origin, token],
    [origin, secrets.keep('forged key', `centavo_live_${randomWord()}`)],
    ['http://127.0.0.1:1', apiKey],
    [`http://user:${secrets.keep('password of an address', randomWord())}@127.0.0.1:1`, apiKey],
  ] as const;
  for (const [baseUrl, bearer] of places) {
    const open = () => new FinancialClient({ baseUrl, token: bearer, maxRetries: 0 });
    const password = secrets.keep('password', choosePassword('typed'));
    const attempts: (() => unknown)[] = [
      () => said.push({ where: 'SDK client', text: show(open()) + JSON.stringify(open()) }),
      () => open().movements.get(bearer),
      () => open().movements.list({ accountId: bearer }),
      () => open().accounts.create({ name: 'x', type: 'cash' }),
      () => open().identity.createSession({ email: 'nobody@example.org', password }),
    ];
    for (const attempt of attempts) {
      try {
        await attempt();
      } catch (error) {
        const ways = [show(error), JSON.stringify(error), String(error), (error as Error).stack];
        said.push({ where: `SDK ${(error as Error).name}`, text: ways.join('\n') });
      }
    }
  }
}
